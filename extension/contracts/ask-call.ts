import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { AbiParameter } from 'viem';
import { parseArgument, parseInteger } from '../../server/client/abi-argument';
import type { Fork } from '../../server/api/fork';
import { forkRpc } from '../../server/client/fork-rpc';
import { ADDRESS, argumentSteps, LAST_SENDER, valueStep, WEI } from '../ui/argument-steps';
import { withProgress } from '../ui/progress';
import { runSteps, type Step } from '../ui/steps';

interface WantedCall {
  title: string;
  /** Identifies the function: its arguments are remembered by it. */
  key: string;
  inputs: readonly AbiParameter[];
  isPayable: boolean;
  /** Whether it is sent: a call that changes nothing has neither value nor sender. */
  isSent: boolean;
  /** Libraries whose addresses are asked for, with those that are known. */
  libraries?: readonly { name: string; address: string }[];
}

/** What the user entered. */
export interface AskedCall {
  args: readonly unknown[];
  libraries: readonly string[];
  /** Wei. */
  value: bigint;
  from: string;
}

/** Asks for the arguments of a call, and begins with those of the last time. @throws UserCancelledError */
export async function askCall(
  { title, key, inputs, isPayable, isSent, libraries = [] }: WantedCall,
  fork: Fork,
  memento: vscode.Memento,
): Promise<AskedCall> {
  const argumentsKey = `forklens.arguments:${key}`;
  const texts = inputs.map((_, index) => memento.get<string[]>(argumentsKey, [])[index] ?? '');
  const addresses = libraries.map(({ address }) => address);
  const draft = { value: '0', from: isSent ? await firstSender(fork, memento) : '' };
  const steps: Step[] = [
    ...libraries.map(({ name }, index) =>
      valueStep({
        title,
        parameter: ADDRESS,
        placeholder: '0x…',
        prompt: l10n.t('Address of the library {0} on "{1}"', name, fork.name),
        value: () => addresses[index] ?? '',
        store: (text) => {
          addresses[index] = text.trim().toLowerCase();
        },
      }),
    ),
    ...argumentSteps(title, inputs, texts),
    ...(isSent && isPayable
      ? [
          valueStep({
            title,
            parameter: WEI,
            placeholder: '0.1 ether',
            prompt: l10n.t('Native value to send along, such as 0.1 ether'),
            value: () => draft.value,
            store: (text) => {
              draft.value = text.trim();
            },
          }),
        ]
      : []),
    ...(isSent
      ? [
          valueStep({
            title,
            parameter: ADDRESS,
            placeholder: '0x…',
            prompt: l10n.t('Sender: any address, no key is needed'),
            value: () => draft.from,
            store: (text) => {
              draft.from = text.trim().toLowerCase();
            },
          }),
        ]
      : []),
  ];
  await runSteps(steps);
  if (texts.length > 0) await memento.update(argumentsKey, texts);
  if (isSent) await memento.update(LAST_SENDER, draft.from);
  return {
    args: inputs.map((input, index) => parseArgument(input, texts[index] ?? '')),
    libraries: addresses,
    value: parseInteger(draft.value) ?? 0n,
    from: draft.from,
  };
}

/** The sender of the last time, else the first account of the fork, which has ether. */
async function firstSender(fork: Fork, memento: vscode.Memento): Promise<string> {
  const last = memento.get<string>(LAST_SENDER, '');
  if (last !== '') return last;
  const accounts = await withProgress(l10n.t('Asking fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, 'eth_accounts', [], signal),
  );
  const [first] = Array.isArray(accounts) ? (accounts as unknown[]) : [];
  return typeof first === 'string' ? first : '';
}
