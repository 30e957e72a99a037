import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { encodeFunctionData, type AbiFunction } from 'viem';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { addressSchema } from '../../server/api/primitives';
import { compiledContract } from '../build-output/compiled-contract';
import { buildOutputs } from '../build-output/workspace-artifacts';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import { LastNetwork, networkItems } from '../transactions/network-picks';
import { ADDRESS, argumentSteps, LAST_SENDER, valueStep, WEI } from '../ui/argument-steps';
import { askPick, pick } from '../ui/quick-input';
import { BACK, runSteps, type Step } from '../ui/steps';
import { parseArgument, parseInteger } from '../../server/client/abi-argument';
import type { FunctionTarget } from '../model/targets';

const lastAddress = (contract: string): string => `forklens.lastAddress:${contract}`;

/** Values that the user has entered so far, as text. */
interface Draft {
  chain: string;
  address: string;
  arguments: string[];
  value: string;
  sender: string;
}

/** Asks where and how a function is to be called. @throws UserCancelledError */
export async function askSimulation(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  target: FunctionTarget,
): Promise<Simulation> {
  const last = new LastNetwork(memento);
  const title = `${target.contract}.${target.name}`;
  const abi = await askOverload(title, await functionsOf(target));
  // Fails early: the user should see a sign-in or service error before typing.
  await client.call('getAccount', {});
  const draft: Draft = {
    chain: last.get() ?? '',
    address: memento.get(lastAddress(target.contract), ''),
    arguments: abi.inputs.map(() => ''),
    value: '0',
    sender: memento.get(LAST_SENDER, ''),
  };
  await runSteps(stepsOf(title, abi, draft));
  await last.set(draft.chain);
  await memento.update(lastAddress(target.contract), draft.address);
  await memento.update(LAST_SENDER, draft.sender);
  return { chain: draft.chain, request: requestOf(abi, draft), title };

  function stepsOf(title: string, abi: AbiFunction, draft: Draft): Step[] {
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
        draft.chain = picked.value;
        return undefined;
      },
      step('address', l10n.t('Address of the contract {0}', title.split('.', 1).join(''))),
      ...argumentSteps(title, abi.inputs, draft.arguments),
      ...(abi.stateMutability === 'payable'
        ? [step('value', l10n.t('Native value to send along, such as 0.1 ether'), WEI)]
        : []),
      step('sender', l10n.t('Sender: any address, no key is needed')),
    ];
  }
}

/** @throws UserCancelledError after a message with advice, if the function is not in the build output */
async function functionsOf(target: FunctionTarget): Promise<AbiFunction[]> {
  const compiled = await compiledContract(target, await buildOutputs());
  const found = compiled?.abi.filter(
    ({ type, name }) => type === 'function' && name === target.name,
  ) as AbiFunction[] | undefined;
  if (found !== undefined && found.length > 0) return found;
  void vscode.window.showWarningMessage(
    found === undefined
      ? l10n.t(
          '{0} is not compiled yet: build the project first, with forge build or hardhat compile.',
          target.contract,
        )
      : l10n.t(
          'The build output of {0} does not have {1}: build the project again.',
          target.contract,
          target.name,
        ),
  );
  throw new UserCancelledError();
}

async function askOverload(title: string, functions: AbiFunction[]): Promise<AbiFunction> {
  const [only, ...others] = functions;
  if (only !== undefined && others.length === 0) return only;
  const items = functions.map((value) => ({
    label: `${value.name}(${value.inputs.map(({ type }) => type).join(', ')})`,
    value,
  }));
  return (await pick({ title, placeholder: l10n.t('Which one'), items: Promise.resolve(items) }))
    .value;
}

function requestOf(abi: AbiFunction, draft: Draft): Simulation['request'] {
  const args = abi.inputs.map((input, index) => parseArgument(input, draft.arguments[index] ?? ''));
  return {
    from: addressSchema.parse(draft.sender),
    to: addressSchema.parse(draft.address),
    data: encodeFunctionData({ abi: [abi], functionName: abi.name, args }),
    value: (parseInteger(draft.value) ?? 0n).toString(),
  };
}
