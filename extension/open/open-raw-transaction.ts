import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { invalidField } from '../../server/api/errors';
import type { Hash, Hex } from '../../server/api/primitives';
import { forkRpc } from '../../server/client/fork-rpc';
import { shortHex } from '../../server/client/format';
import { askCall } from '../decoded-data/ask-call';
import { showData } from '../decoded-data/show-data';
import type { CommandContext } from '../model/command-context';
import type { CommandId } from '../model/commands';
import { pickFork } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import { chainOfId } from './chain-names';
import { readRawTransaction, type RawTransaction } from './raw-transaction';

const ANALYZE: CommandId = 'forklens.openTransaction';
const TITLE = l10n.t('Signed Transaction');

/** Shows what a signed transaction is, and what can be done with it. @throws UserCancelledError, ApiError */
export async function openRawTransaction(
  context: CommandContext,
  { raw, hash }: { raw: Hex; hash: Hash },
): Promise<void> {
  const { client } = context;
  const read = await readRawTransaction(raw).catch(() => {
    throw invalidField('transaction', shortHex(raw), l10n.t('one with a valid signature'));
  });
  const chains = await client.call('listChains', {});
  const chain = read.chainId === undefined ? undefined : chainOfId(read.chainId, chains);
  const { to } = read;
  const { value } = await pick<() => Promise<unknown>>({
    title: TITLE,
    placeholder: summaryOf(read, chain),
    items: Promise.resolve([
      ...(to === undefined
        ? []
        : [
            {
              label: l10n.t('$(play) Simulate it'),
              description: l10n.t('without sending anything'),
              value: () => simulate(context, { ...read, to }, chain),
            },
          ]),
      {
        label: l10n.t('$(repo-forked) Send it on a fork'),
        description: l10n.t('signed, as it is'),
        value: () => send(context, raw),
      },
      {
        label: l10n.t('$(search) Analyze it'),
        description: l10n.t('if it was mined'),
        value: () =>
          Promise.resolve(
            vscode.commands.executeCommand(ANALYZE, {
              transaction: hash,
              ...(chain !== undefined && { chain }),
            }),
          ),
      },
      ...(read.data.length < 10 || to === undefined
        ? []
        : [
            {
              label: l10n.t('$(symbol-parameter) Decode its call data'),
              value: () =>
                showData(
                  client,
                  read.data,
                  chain === undefined ? undefined : { chain, address: to },
                ),
            },
          ]),
    ]),
  });
  await value();
}

function summaryOf({ from, to, chainId }: RawTransaction, chain: string | undefined): string {
  const receiver = to === undefined ? l10n.t('a new contract') : shortHex(to);
  const place = chain ?? (chainId === undefined ? l10n.t('any chain') : String(chainId));
  return l10n.t('from {0} to {1}, for chain {2}', shortHex(from), receiver, place);
}

async function simulate(
  context: CommandContext,
  { from, to, value, data }: RawTransaction & { to: Hex },
  chain: string | undefined,
): Promise<void> {
  const draft = { title: TITLE, chain, from, to, value: value.toString(), data };
  context.inspector.openSimulation(await askCall(context, draft));
}

async function send({ client }: CommandContext, raw: Hex): Promise<void> {
  const { fork } = await pickFork(client, l10n.t('Send on Fork'));
  const hash = await withProgress(l10n.t('Sending to fork "{0}"…', fork.name), (signal) =>
    forkRpc(fork, 'eth_sendRawTransaction', [raw], signal),
  );
  await vscode.commands.executeCommand(ANALYZE, { chain: fork.forkId, transaction: String(hash) });
}
