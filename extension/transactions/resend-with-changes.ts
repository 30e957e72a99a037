import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { forkRpc } from '../../server/client/fork-rpc';
import {
  CALL_FIELDS,
  callOf,
  listsOf,
  requestOf,
  simulationAt,
  type CallField,
  type TransactionCall,
} from '../../server/client/transaction-call';
import { argumentsOf, isDecoded, type CallArgument } from '../../server/client/call-arguments';
import { enterText, pick } from '../ui/quick-input';
import { grouped, shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { listAllForks, pickFork } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { askTransaction } from './transaction-targets';

/** Changes a transaction, and simulates it at its original position. */
export async function resimulate(
  { client, inspector }: CommandContext,
  given: TransactionNode | TransactionTarget | Simulation | undefined,
): Promise<void> {
  const title = l10n.t('Simulate with Changes');
  const original =
    given !== undefined && 'request' in given
      ? given
      : await askTransaction(client, given ?? inspector.active(), title);
  const flow = await flowOf(client, original);
  const { blockNumber, position } = flow.transaction;
  const name =
    'request' in original
      ? (original.title ?? l10n.t('a simulation'))
      : shortHex(original.transaction);
  const call = await edit(flow, l10n.t('Simulate {0}', name), {
    label: l10n.t('Simulate'),
    description: l10n.t('at block {0}, position {1}', grouped(blockNumber), position),
  });
  const simulation = {
    chain: original.chain,
    request:
      'request' in original ? changedRequest(original.request, call) : simulationAt(flow, call),
    title: l10n.t('{0} with changes', name),
  };
  await show(original, simulation);
}

/** With its place and its overrides. */
const changedRequest = (
  request: Simulation['request'],
  call: TransactionCall,
): Simulation['request'] => ({ ...request, to: undefined, gas: undefined, ...requestOf(call) });

/** Changes a transaction, and sends it on a fork. */
export async function resend(
  { client, inspector }: CommandContext,
  given: TransactionNode | TransactionTarget | undefined,
): Promise<void> {
  const title = l10n.t('Send Again with Changes');
  const target = await askTransaction(client, given ?? inspector.active(), title);
  const flow = await flowOf(client, target);
  const forks = await listAllForks(client);
  const own = forks.find(({ fork }) => fork.forkId === target.chain);
  const { fork } = own ?? (await pickFork(client, title));
  const call = await edit(flow, title, {
    label: l10n.t('Send'),
    description: l10n.t('on fork "{0}"', fork.name),
  });
  const hash = await withProgress(l10n.t('Sending to fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, 'eth_sendTransaction', [sentOf(flow, call)], signal),
  );
  const transaction = String(hash);
  await show(target, { chain: fork.forkId, transaction });
}

/** With its lists, without blobs: their contents are not part of a block. */
function sentOf(
  { transaction }: Pick<InvocationFlow, 'transaction'>,
  call: TransactionCall,
): object {
  const { accessList, authorizationList } = listsOf(transaction, call);
  return { ...requestOf(call), accessList, authorizationList };
}

function flowOf(
  client: ApiClient,
  target: TransactionTarget | Simulation,
): Promise<Pick<InvocationFlow, 'transaction' | 'dataMap'>> {
  const { chain } = target;
  if ('request' in target) {
    return withProgress(l10n.t('Simulating…'), (signal, onProgress) =>
      client.call('simulate', { params: { chain }, body: target.request }, { signal, onProgress }),
    );
  }
  const { transaction } = target;
  const title = l10n.t('Reading transaction {0}…', shortHex(transaction));
  return withProgress(title, (signal, onProgress) =>
    client.call('getInvocationFlow', { params: { chain, transaction } }, { signal, onProgress }),
  );
}

/** Shows it beside the original. */
async function show(
  original: TransactionTarget | Simulation,
  again: TransactionTarget | Simulation,
): Promise<void> {
  const sides = { left: original, right: again };
  await vscode.commands.executeCommand('forklens.compareAnalyses', sides);
}

/** Lets the user change arguments and fields one by one. @param end label and description of the item that ends the editing */
async function edit(
  flow: Pick<InvocationFlow, 'transaction' | 'dataMap'>,
  title: string,
  end: { label: string; description: string },
): Promise<TransactionCall> {
  const original = callOf(flow);
  const known = argumentsOf(flow);
  for (let call = original; ;) {
    // After a change of the raw data, it may be that of another method.
    const args = isDecoded(call, known) ? known : [];
    const { value: rule } = await pick<Rule | undefined>({
      title,
      placeholder: l10n.t('Change fields, then choose {0}', end.label),
      items: Promise.resolve([
        { ...end, label: `$(play) ${end.label}`, alwaysShow: true, value: undefined },
        ...(args.length === 0 ? [] : [separator(l10n.t('Arguments'))]),
        ...args.map((argument) => itemOf(argument, call, original, argument.type)),
        ...(args.length === 0 ? [] : [separator(l10n.t('Transaction'))]),
        ...(Object.keys(CALL_FIELDS) as CallField[]).map((field) =>
          itemOf(CALL_FIELDS[field], call, original),
        ),
      ]),
    });
    if (rule === undefined) return call;
    const before = call;
    const text = await enterText({
      title: `${title}: ${rule.label}`,
      value: rule.text(call),
      prompt: rule.prompt,
      validate: (value) => (rule.change(before, value) === undefined ? rule.accepted : undefined),
    });
    call = rule.change(call, text) ?? call;
  }
}

/** What the user may change: an argument, or a field of the transaction. */
type Rule = Pick<CallArgument, 'label' | 'prompt' | 'accepted' | 'text' | 'change'>;

const separator = (label: string): vscode.QuickPickItem => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

function itemOf(
  rule: Rule,
  call: TransactionCall,
  original: TransactionCall,
  type?: string,
): vscode.QuickPickItem & { value: Rule } {
  const { label, text } = rule;
  const isChanged = text(call) !== text(original);
  const name = type === undefined ? label : `${label}: ${type}`;
  return {
    label: isChanged ? `$(edit) ${name}` : name,
    description: shortened(text(call)) || l10n.t('none'),
    ...(isChanged
      ? { detail: l10n.t('was {0}', shortened(text(original)) || l10n.t('none')) }
      : {}),
    value: rule,
  };
}

const MAX_SHOWN_DATA = 80;
const shortened = (text: string): string =>
  text.length <= MAX_SHOWN_DATA ? text : `${text.slice(0, MAX_SHOWN_DATA)}…`;
