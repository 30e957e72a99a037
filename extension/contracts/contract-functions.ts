import { encodeFunctionData, toFunctionSignature, type Abi, type AbiFunction } from 'viem';
import type { AbiItem } from '../../server/api/abi';
import type { Fork } from '../../server/api/fork';
import { timeoutSignal } from '../../server/api/timeout-signal';
import { forkRpc } from '../../server/client/fork-rpc';
import type { FunctionAnswer } from '../model/fork-contract';
import type { ContractNode, FunctionNode } from '../model/tree-node';
import { answerOf, failureOf } from './answer-text';

/** Most functions whose values are read by themselves, how many at once, and for how long. */
const MAX_VALUES = 64;
const AT_ONCE = 8;
const MAX_MS = 15_000;

interface Answers {
  get: (signature: string) => FunctionAnswer | undefined;
  set: (signature: string, answer: FunctionAnswer) => void;
}

/** The named functions of an ABI: first those that change nothing and take no arguments, then other views, then the rest. */
export function functionsOf(abi: readonly AbiItem[]): AbiFunction[] {
  const functions = abi.filter(
    ({ type, name }) => type === 'function' && name !== undefined,
  ) as unknown as AbiFunction[];
  const rank = (one: AbiFunction): number => (!isView(one) ? 2 : one.inputs.length === 0 ? 0 : 1);
  return functions.toSorted((one, other) => rank(one) - rank(other));
}

export const isView = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure';

/** The function of a node. @throws Error if its contract does not have it any more */
export function abiOf({ parent, function: { signature } }: FunctionNode): AbiFunction {
  const abi = functionsOf(parent.contract.abi).find(
    (one) => toFunctionSignature(one) === signature,
  );
  if (abi === undefined) throw new Error(`no function ${signature}`);
  return abi;
}

/** The functions of a contract. Values are read while the fork runs: a request would wake a fork that sleeps. */
export async function functionNodes(
  parent: ContractNode,
  answers: Answers,
): Promise<FunctionNode[]> {
  const { contract } = parent;
  const { fork } = parent.parent.parent;
  const functions = functionsOf(contract.abi);
  if (fork.state === 'running') {
    const values = functions.filter((one) => isView(one) && one.inputs.length === 0);
    const signal = timeoutSignal(MAX_MS);
    const open = values.slice(0, MAX_VALUES);
    const work = async (): Promise<void> => {
      for (let one = open.shift(); one !== undefined; one = open.shift()) {
        const answer = await callFunction(fork, parent, one, [], signal);
        answers.set(toFunctionSignature(one), answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return functions.map((one): FunctionNode => {
    const signature = toFunctionSignature(one);
    const inputs = one.inputs.map(({ type, name = '' }) => `${type} ${name}`.trim());
    return {
      kind: 'function',
      parent,
      function: {
        signature,
        text: `${one.name}(${inputs.join(', ')})`,
        isView: isView(one),
        hasInputs: inputs.length > 0,
        answer: answers.get(signature),
      },
    };
  });
}

/** Calls a function at the newest block of the fork. Never throws for what the fork answers. */
export async function callFunction(
  fork: Pick<Fork, 'rpc' | 'name'>,
  { contract: { address, abi } }: Pick<ContractNode, 'contract'>,
  called: AbiFunction,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<FunctionAnswer> {
  try {
    const data = encodeFunctionData({ abi: [called], functionName: called.name, args });
    const answer = await forkRpc(fork, 'eth_call', [{ to: address, data }, 'latest'], signal);
    return answerOf(called, String(answer));
  } catch (error) {
    return failureOf(abi as unknown as Abi, error);
  }
}
