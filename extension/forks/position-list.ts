import * as l10n from '@vscode/l10n';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import type { ChainBlock } from '../../server/api/chain-block';
import { counted } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { transactionDetail, transactionTitle } from '../transactions/transaction-text';
import type { PickItem } from '../ui/quick-input';

/** The most that the service lists in one answer. */
const PAGE = 100;
/** Transactions that are listed; a position beyond them can be typed. */
const MAX_LISTED = 500;

/** The user wants to type a position. */
export const OTHER_POSITION = 'other';

/**
 * The positions of a block, each by the transaction that follows it.
 * @throws ApiError
 */
export async function positionItems(
  client: ApiClient,
  chain: string,
  { hash, transactionCount }: ChainBlock,
): Promise<PickItem<number | undefined | typeof OTHER_POSITION>[]> {
  const items: PickItem<number | undefined>[] = [];
  let from: number | null = 0;
  while (from !== null && items.length < MAX_LISTED) {
    const page: BlockTransactions = await client.call('listBlockTransactions', {
      params: { chain, block: hash },
      query: { from: String(from), limit: PAGE },
    });
    items.push(...page.transactions.map((transaction) => itemOf(transaction, page)));
    from = page.next;
  }
  return [
    {
      label: l10n.t('After the whole block'),
      description: counted(transactionCount, 'transaction'),
      value: undefined,
    },
    ...items,
    {
      label: l10n.t('Enter a position…'),
      description: l10n.t('0 to {0}', transactionCount),
      value: OTHER_POSITION,
    },
  ];
}

const itemOf = (
  transaction: BlockTransactions['transactions'][number],
  page: BlockTransactions,
): PickItem<number> => ({
  label: l10n.t('{0}: right before {1}', transaction.position, transactionTitle(transaction)),
  description: transactionDetail(transaction, page),
  detail: transaction.hash,
  value: transaction.position,
});
