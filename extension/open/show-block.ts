import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlockTransaction, BlockTransactions } from '../../server/api/chain-explorer';
import { counted, grouped, shortHex, utc } from '../../server/client/format';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';
import type { ApiClient } from '../model/api-client';
import { withProgress } from '../ui/progress';
import { pick, type PickItem } from '../ui/quick-input';

const PAGE = 50;

/**
 * Lists the transactions of a block, page by page, and opens the one that the user picks.
 * @param block a number, hash, tag or time
 * @throws UserCancelledError, ApiError
 */
export async function showBlock(client: ApiClient, chain: string, block: string): Promise<void> {
  const reference = await referenceOf(client, chain, block);
  const load = (from: number): Promise<BlockTransactions> =>
    withProgress(l10n.t('Reading block {0} of {1}…', shortHex(block), chain), (signal) =>
      client.call(
        'listBlockTransactions',
        { params: { chain, block: reference }, query: { from: String(from), limit: PAGE } },
        { signal },
      ),
    );
  let page = await load(0);
  const items = itemsOf(page);
  for (;;) {
    const { next } = page;
    const { value } = await pick<string | number>({
      title: titleOf(chain, page),
      placeholder:
        items.length === 0
          ? l10n.t('The block has no transactions')
          : l10n.t('Transaction to analyze'),
      items: Promise.resolve([
        ...items,
        ...(next === null
          ? []
          : [{ label: l10n.t('$(ellipsis) Load more'), alwaysShow: true, value: next }]),
      ]),
    });
    if (typeof value === 'string') {
      await vscode.commands.executeCommand('forklens.openTransaction', {
        chain,
        transaction: value,
      });
      return;
    }
    page = await load(value);
    items.push(...itemsOf(page));
  }
}

/** The service lists blocks by number and hash: tags and times are looked up first. */
async function referenceOf(client: ApiClient, chain: string, block: string): Promise<string> {
  if (/^(\d+|0x[0-9a-f]+)$/i.test(block)) return block;
  if (block === 'latest' && chain.startsWith('fork_')) {
    const { head } = await client.call('listBlocks', { params: { chain }, query: { limit: 1 } });
    return String(head);
  }
  const found = await client.call('findBlock', { params: { chain }, query: { at: block } });
  return String(found.number);
}

function titleOf(chain: string, { block }: BlockTransactions): string {
  const transactions = counted(block.transactionCount, 'transaction');
  return l10n.t(
    'Block {0} of {1} · {2} UTC · {3}',
    grouped(block.number),
    chain,
    utc(block.timestamp),
    transactions,
  );
}

const itemsOf = (page: BlockTransactions): PickItem<string>[] =>
  page.transactions.map((transaction) => ({
    label: `$(${iconOf(transaction)}) ${transactionTitle(transaction)}`,
    description: transactionDetail(transaction, page),
    detail: `${transaction.position} · ${transaction.hash}`,
    value: transaction.hash,
  }));

function iconOf({ status }: BlockTransaction): string {
  if (status === null) return 'circle-outline';
  return status ? 'pass' : 'error';
}
