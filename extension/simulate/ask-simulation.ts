import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Abi,
  type AbiFunction,
} from 'viem';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { addressSchema } from '../../server/api/primitives';
import {
  compiledContract,
  linkedCode,
  type CompiledContract,
} from '../build-output/compiled-contract';
import { buildOutputs } from '../build-output/workspace-artifacts';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import { LastNetwork, networkItems } from '../transactions/network-picks';
import { ADDRESS, argumentSteps, valueStep, WEI } from '../ui/argument-steps';
import { askPick, pick } from '../ui/quick-input';
import { BACK, runSteps, type Step } from '../ui/steps';
import { parseArgument, parseInteger } from '../../server/client/abi-argument';
import type { ForkContracts } from '../model/fork-contracts';
import type { FunctionTarget } from '../model/targets';
import { keepValues, knownValues } from './known-values';

/** A function, or a constructor, whose call is a creation. */
type Called = AbiFunction | Extract<Abi[number], { type: 'constructor' }>;

/** Values that the user has entered so far, as text. */
interface Draft {
  chain: string;
  address: string;
  /** Addresses, in the order of the code's libraries. */
  libraries: string[];
  arguments: string[];
  value: string;
  sender: string;
}

/** Asks where and how a function is to be called. @throws UserCancelledError */
export async function askSimulation(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  contracts: Pick<ForkContracts, 'of'>,
  target: FunctionTarget,
): Promise<Simulation> {
  const last = new LastNetwork(memento);
  const title = `${target.contract}.${target.name}`;
  const outputs = await buildOutputs();
  const compiled = await buildOf(target, outputs);
  const abi = await askOverload(title, functionsOf(target, compiled));
  const isCreation = abi.type === 'constructor';
  const libraries = isCreation ? compiled.libraries : [];
  // Fails early: the user should see a sign-in or service error before typing.
  await client.call('getAccount', {});
  const draft: Draft = {
    chain: last.get() ?? '',
    address: '',
    libraries: libraries.map(() => ''),
    arguments: abi.inputs.map(() => ''),
    value: '0',
    sender: '',
  };
  const place = { contract: target.contract, outputs };
  await runSteps(
    stepsOf({ title, abi, draft, libraries, contract: target.contract }, client, async (chain) => {
      Object.assign(draft, await knownValues({ client, memento }, contracts, { ...place, chain }));
      const known = contracts.of(chain);
      draft.libraries = libraries.map(
        (library) => known.findLast(({ name }) => name === library.name)?.address ?? '',
      );
    }),
  );
  await last.set(draft.chain);
  const { chain } = draft;
  const kept = isCreation ? { sender: draft.sender } : draft;
  await keepValues(memento, { contract: target.contract, chain }, kept);
  return { chain, request: requestOf(compiled, abi, draft), title };
}

/** What the steps ask for. */
interface Form {
  readonly title: string;
  readonly contract: string;
  readonly abi: Called;
  readonly draft: Draft;
  readonly libraries: CompiledContract['libraries'];
}

/** @param fill enters what is known on a chain */
function stepsOf(
  { title, contract, abi, draft, libraries }: Form,
  client: CommandContext['client'],
  fill: (chain: string) => Promise<void>,
): Step[] {
  /** The chain whose values are filled in. */
  let filled: string | undefined;
  const step = (
    field: 'address' | 'value' | 'sender',
    prompt: string,
    parameter: typeof ADDRESS | typeof WEI = ADDRESS,
  ): Step =>
    valueStep({
      title,
      prompt,
      parameter,
      placeholder: parameter.type === 'address' ? '0x…' : '0.1 ether',
      value: () => draft[field],
      store: (text) => {
        draft[field] = text.trim();
      },
    });
  return [
    async (frame) => {
      const picked = await askPick({
        title,
        frame,
        placeholder: l10n.t('Fork or chain to simulate on'),
        items: networkItems(client),
        isActive: (chain) => chain === draft.chain,
      });
      if (picked === BACK) return BACK;
      if (picked.value !== filled) await fill(picked.value);
      draft.chain = filled = picked.value;
      return undefined;
    },
    ...(abi.type === 'constructor'
      ? []
      : [step('address', l10n.t('Address of the contract {0}', contract))]),
    ...libraries.map(({ name }, index) =>
      valueStep({
        title,
        prompt: l10n.t('Address of the library {0}', name),
        parameter: ADDRESS,
        placeholder: '0x…',
        value: () => draft.libraries[index] ?? '',
        store: (text) => {
          draft.libraries[index] = text.trim();
        },
      }),
    ),
    ...argumentSteps(title, abi.inputs, draft.arguments),
    ...(abi.stateMutability === 'payable'
      ? [step('value', l10n.t('Native value to send along, such as 0.1 ether'), WEI)]
      : []),
    step('sender', l10n.t('Sender: any address, no key is needed')),
  ];
}

/** @throws UserCancelledError after a message with advice, if the contract is not in the build output */
async function buildOf(
  target: FunctionTarget,
  outputs: readonly string[],
): Promise<CompiledContract> {
  const compiled = await compiledContract(target, outputs);
  if (compiled !== undefined) return compiled;
  return refuse(
    l10n.t(
      '{0} is not compiled yet: build the project first, with forge build or hardhat compile.',
      target.contract,
    ),
  );
}

/** @throws UserCancelledError after a message with advice, if the build output lacks the function */
function functionsOf(
  { contract, name }: FunctionTarget,
  { abi, creationCode }: CompiledContract,
): Called[] {
  const isCreation = name === 'constructor';
  const found = abi.filter(
    (one) => one.type === (isCreation ? name : 'function') && (isCreation || one.name === name),
  ) as Called[];
  if (found.length > 0 && (!isCreation || creationCode !== '')) return found;
  return refuse(
    l10n.t('The build output of {0} does not have {1}: build the project again.', contract, name),
  );
}

function refuse(message: string): never {
  void vscode.window.showWarningMessage(message);
  throw new UserCancelledError();
}

async function askOverload(title: string, functions: Called[]): Promise<Called> {
  const [only, ...others] = functions;
  if (only !== undefined && others.length === 0) return only;
  const items = functions.map((value) => ({
    label: `${'name' in value ? value.name : value.type}(${value.inputs.map(({ type }) => type).join(', ')})`,
    value,
  }));
  return (await pick({ title, placeholder: l10n.t('Which one'), items: Promise.resolve(items) }))
    .value;
}

function requestOf(compiled: CompiledContract, abi: Called, draft: Draft): Simulation['request'] {
  const args = abi.inputs.map((input, index) => parseArgument(input, draft.arguments[index] ?? ''));
  const from = addressSchema.parse(draft.sender);
  const value = (parseInteger(draft.value) ?? 0n).toString();
  if (abi.type === 'constructor') {
    const code = linkedCode(compiled, draft.libraries);
    return { from, data: concatHex([code, encodeAbiParameters(abi.inputs, args)]), value };
  }
  return {
    from,
    to: addressSchema.parse(draft.address),
    data: encodeFunctionData({ abi: [abi], functionName: abi.name, args }),
    value,
  };
}
