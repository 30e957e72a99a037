import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toFunctionSignature, type AbiParameter } from 'viem';
import type { CommandContext } from '../model/command-context';
import type { ForkContracts } from '../model/fork-contracts';
import { LastNetwork, networkItems } from '../transactions/network-picks';
import { ADDRESS, argumentSteps, valueStep, WEI } from '../ui/argument-steps';
import { askPick } from '../ui/quick-input';
import { BACK, runSteps, type Step } from '../ui/steps';
import { constructorOf, type CalledFunction } from './called-function';
import { initialText } from './initial-text';
import { keepValues, knownValues } from './known-values';

/** What the user enters, as text. */
export interface FunctionDraft {
  /** Slug of a chain, or id of a fork. */
  chain: string;
  /** Whether the contract is deployed first, on a fork of its own. */
  isDeployedFirst: boolean;
  address: string;
  /** Addresses, in the order of the code's libraries. */
  libraries: string[];
  /** Of the constructor, before the call of a function. */
  creation: { arguments: string[]; value: string };
  arguments: string[];
  value: string;
  sender: string;
}

/** Has ether on forks with the usual accounts. */
const FIRST_ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/**
 * Asks for the place, the arguments and the sender of a call.
 * @param mayDeploy whether a contract without an address may be deployed first
 * @throws UserCancelledError
 */
export async function askFunction(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  contracts: Pick<ForkContracts, 'of'>,
  called: CalledFunction,
  mayDeploy: boolean,
): Promise<FunctionDraft> {
  const { contract, abi, compiled, outputs } = called;
  const last = new LastNetwork(memento);
  // Fails early: the user should see a sign-in or service error before typing.
  await client.call('getAccount', {});
  const remembered = (key: string, inputs: readonly AbiParameter[]): string[] => {
    const texts = memento.get<string[]>(key, []);
    return inputs.map((_, index) => texts[index] ?? '');
  };
  const isCreation = abi.type === 'constructor';
  const inputs = constructorOf(compiled)?.inputs ?? [];
  const creationKey = `forklens.arguments:${contract}.constructor`;
  const ownKey = isCreation
    ? creationKey
    : `forklens.arguments:${contract}.${toFunctionSignature(abi)}`;
  const first = remembered(creationKey, inputs);
  const draft: FunctionDraft = {
    chain: last.get() ?? '',
    isDeployedFirst: false,
    address: '',
    libraries: compiled.libraries.map(() => ''),
    creation: {
      arguments: first.map((text, index) => {
        const input = inputs[index];
        return text === '' && input ? initialText(input) : text;
      }),
      value: '0',
    },
    arguments: remembered(ownKey, abi.inputs),
    value: '0',
    sender: '',
  };
  let filled: string | undefined;
  const fill = async (chain: string): Promise<void> => {
    if (chain === filled) return;
    filled = chain;
    const place = { contract, outputs, chain };
    Object.assign(draft, await knownValues({ client, memento }, contracts, place));
    draft.isDeployedFirst = mayDeploy && canDeploy(called) && draft.address === '';
    const known = contracts.of(chain);
    draft.libraries = compiled.libraries.map(
      (library) => known.findLast(({ name }) => name === library.name)?.address ?? '',
    );
  };
  await runSteps(() => stepsOf(called, draft, { client, fill, mayDeploy }));
  await last.set(draft.chain);
  const isAt = !isCreation && !draft.isDeployedFirst;
  const kept = isAt ? { address: draft.address, sender: draft.sender } : { sender: draft.sender };
  await keepValues(memento, { contract, chain: draft.chain }, kept);
  if (draft.isDeployedFirst) await memento.update(creationKey, draft.creation.arguments);
  await memento.update(ownKey, draft.arguments);
  return draft;
}

const canDeploy = ({ abi, compiled }: CalledFunction): boolean =>
  abi.type !== 'constructor' && compiled.creationCode !== '';

interface Around {
  readonly client: CommandContext['client'];
  /** Enters what is known on a chain, once. */
  readonly fill: (chain: string) => Promise<void>;
  readonly mayDeploy: boolean;
}

/** The steps, of which what was entered so far decides. */
function stepsOf(called: CalledFunction, draft: FunctionDraft, around: Around): Step[] {
  const { title, contract, abi, compiled } = called;
  const { mayDeploy } = around;
  const isCreation = abi.type === 'constructor';
  const value = (prompt: string, of: { value: string }): Step =>
    valueStep({
      title,
      prompt,
      parameter: WEI,
      placeholder: '0.1 ether',
      value: () => of.value,
      store: (text) => {
        of.value = text.trim();
      },
    });
  const address = (prompt: string, field: 'address' | 'sender'): Step =>
    valueStep({
      title,
      prompt,
      parameter: ADDRESS,
      placeholder: '0x…',
      value: () => draft[field],
      store: (text) => {
        draft[field] = text.trim();
      },
    });
  const steps = [networkStep(title, draft, around)];
  if (mayDeploy && canDeploy(called)) steps.push(placeStep(title, draft));
  if (!isCreation && !draft.isDeployedFirst) {
    const hasNoCode = mayDeploy && !canDeploy(called);
    const prompt = hasNoCode
      ? l10n.t('Address of the contract {0}, which has no code to deploy', contract)
      : l10n.t('Address of the contract {0}', contract);
    steps.push(address(prompt, 'address'));
  }
  if (isCreation || draft.isDeployedFirst) {
    for (const [index, { name }] of compiled.libraries.entries()) {
      steps.push(libraryStep(title, name, index, draft));
    }
  }
  const declared = constructorOf(compiled);
  if (draft.isDeployedFirst && declared) {
    const ofConstructor = l10n.t('{0}: constructor', title);
    steps.push(...argumentSteps(ofConstructor, declared.inputs, draft.creation.arguments));
    if (declared.stateMutability === 'payable') {
      steps.push(value(l10n.t('Native value of the creation, such as 0.1 ether'), draft.creation));
    }
  }
  steps.push(...argumentSteps(title, abi.inputs, draft.arguments));
  if (abi.stateMutability === 'payable') {
    steps.push(value(l10n.t('Native value to send along, such as 0.1 ether'), draft));
  }
  steps.push(address(l10n.t('Sender: any address, no key is needed'), 'sender'));
  return steps;
}

function networkStep(title: string, draft: FunctionDraft, { client, fill }: Around): Step {
  return async (frame) => {
    const picked = await askPick({
      title,
      frame,
      placeholder: l10n.t('Fork or chain to simulate on'),
      items: networkItems(client),
      isActive: (chain) => chain === draft.chain,
    });
    if (picked === BACK) return BACK;
    await fill(picked.value);
    draft.chain = picked.value;
    return undefined;
  };
}

/** Asks whether the contract is somewhere, or is deployed first. */
function placeStep(title: string, draft: FunctionDraft): Step {
  return async (frame) => {
    const items = [
      {
        label: l10n.t('Deploy on a throw-away fork'),
        detail: l10n.t(
          'The build of the workspace, with constructor arguments that you enter. The fork is deleted when the debug session ends.',
        ),
        iconPath: new vscode.ThemeIcon('rocket'),
        value: true,
      },
      {
        label: l10n.t('At an address'),
        description: draft.address,
        iconPath: new vscode.ThemeIcon('location'),
        value: false,
      },
    ];
    const picked = await askPick({
      title,
      frame,
      placeholder: l10n.t('Where the contract is'),
      items: Promise.resolve(items),
      isActive: (isDeployedFirst) => isDeployedFirst === draft.isDeployedFirst,
    });
    if (picked === BACK) return BACK;
    draft.isDeployedFirst = picked.value;
    if (picked.value && draft.sender === '') draft.sender = FIRST_ACCOUNT;
    return undefined;
  };
}

const libraryStep = (title: string, name: string, index: number, draft: FunctionDraft): Step =>
  valueStep({
    title,
    prompt: l10n.t('Address of the library {0}', name),
    parameter: ADDRESS,
    placeholder: '0x…',
    value: () => draft.libraries[index] ?? '',
    store: (text) => {
      draft.libraries[index] = text.trim();
    },
  });
