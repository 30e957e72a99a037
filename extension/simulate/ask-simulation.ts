import { concatHex, encodeAbiParameters, encodeFunctionData, type AbiParameter } from 'viem';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { addressSchema, type Hex } from '../../server/api/primitives';
import { parseArgument, parseInteger } from '../../server/client/abi-argument';
import { linkedCode } from '../build-output/compiled-contract';
import type { CommandContext } from '../model/command-context';
import type { ForkContracts } from '../model/fork-contracts';
import type { FunctionTarget } from '../model/targets';
import { askFunction, type FunctionDraft } from './ask-function';
import { calledFunction, constructorOf, type CalledFunction } from './called-function';

/** Asks for the place, the arguments and the sender of a call. @throws UserCancelledError */
export async function askSimulation(
  context: Pick<CommandContext, 'client' | 'memento'>,
  contracts: Pick<ForkContracts, 'of'>,
  target: FunctionTarget,
): Promise<Simulation> {
  const called = await calledFunction(target);
  return simulationOf(called, await askFunction(context, contracts, called, false));
}

/** The call of a function at the address that was entered, or a creation. */
export function simulationOf(called: CalledFunction, draft: FunctionDraft): Simulation {
  const { title, abi } = called;
  const { chain, value } = draft;
  const isCreation = abi.type === 'constructor';
  const request = {
    from: addressSchema.parse(draft.sender),
    ...(!isCreation && { to: addressSchema.parse(draft.address) }),
    data: isCreation ? creationData(called, draft, draft.arguments) : callData(called, draft),
    value: weiOf(value).toString(),
  };
  return { chain, request, title };
}

/** @param texts arguments of the constructor */
export function creationData(
  { compiled }: CalledFunction,
  { libraries }: FunctionDraft,
  texts: readonly string[],
): Hex {
  const inputs = constructorOf(compiled)?.inputs ?? [];
  const code = linkedCode(compiled, libraries);
  return concatHex([code, encodeAbiParameters(inputs, parsed(inputs, texts))]);
}

export function callData({ abi }: CalledFunction, { arguments: texts }: FunctionDraft): Hex {
  if (abi.type === 'constructor') throw new Error('a constructor has no selector');
  const args = parsed(abi.inputs, texts);
  return encodeFunctionData({ abi: [abi], functionName: abi.name, args });
}

export const weiOf = (text: string): bigint => parseInteger(text) ?? 0n;

const parsed = (inputs: readonly AbiParameter[], texts: readonly string[]): unknown[] =>
  inputs.map((input, index) => parseArgument(input, texts[index] ?? ''));
