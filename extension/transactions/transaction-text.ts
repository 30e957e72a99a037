import * as l10n from '@vscode/l10n';
import type { BlockTransaction, BlockTransactions } from '../../server/api/chain-explorer';
import { shortHex } from '../../server/client/format';
import { methodText } from '../../server/client/method-text';

/** What a transaction of a block does, in a word or two. */
export function transactionTitle(transaction: BlockTransaction): string {
  if (transaction.to === null) return l10n.t('create contract');
  return methodText(transaction) || l10n.t('native transfer');
}

/** `alice → 0x1234…cdef · 0.5 ETH · reverted`. */
export function transactionDetail(
  { from, to, created, value, status }: BlockTransaction,
  { labels, nativeSymbol }: Pick<BlockTransactions, 'labels' | 'nativeSymbol'>,
): string {
  const name = (address: string): string => labels[address] ?? shortHex(address);
  const receiver = to ?? created;
  return [
    receiver === null ? name(from) : `${name(from)} → ${name(receiver)}`,
    ...(value === '0' ? [] : [`${value} ${nativeSymbol}`]),
    ...(status === false ? [l10n.t('reverted')] : []),
  ].join(' · ');
}
