import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import { grouped } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { BlockTarget } from '../model/targets';
import { withProgress } from '../ui/progress';
import { OtherBlockPanel } from './other-block-panel';

/** The most that the service lists in one answer. */
const PAGE = 100;
const MAX_LISTED = 500;

/**
 * Shows the transactions of a block in a list, in which they are moved, left out, changed and inserted, and what would have happened then.
 * @throws UserCancelledError, ApiError
 */
export async function whatWouldHaveHappened(
  { client }: Pick<CommandContext, 'client'>,
  { chain, block }: BlockTarget,
): Promise<void> {
  const number = grouped(block.number);
  const page = await withProgress(
    l10n.t('Loading the transactions of block {0}…', number),
    (signal) => transactionsOf(client, chain, block.hash, signal),
  );
  const title = l10n.t('Block {0} of {1}: what would have happened', number, chain);
  const panel = vscode.window.createWebviewPanel(
    'forklens.otherBlock',
    title,
    vscode.ViewColumn.Active,
    { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true },
  );
  new OtherBlockPanel(panel, { client, chain, block: block.number, page, title }).show();
}

async function transactionsOf(
  client: ApiClient,
  chain: string,
  block: string,
  signal: AbortSignal,
): Promise<BlockTransactions> {
  const params = { chain, block };
  const query = { limit: PAGE };
  const first = await client.call('listBlockTransactions', { params, query }, { signal });
  const transactions = [...first.transactions];
  let { next } = first;
  while (next !== null && transactions.length < MAX_LISTED) {
    const more: BlockTransactions = await client.call(
      'listBlockTransactions',
      { params, query: { from: String(next), limit: PAGE } },
      { signal },
    );
    transactions.push(...more.transactions);
    next = more.next;
  }
  return Object.assign(first, { transactions });
}
