import * as l10n from '@vscode/l10n';
import type { TransactionNode } from '../model/tree-node';

/** What a transaction of a fork does, in a word or two. */
export function transactionLabel({
  transaction: { method, selector, to, status },
  created,
}: Pick<TransactionNode, 'transaction' | 'created'>): string {
  if (to !== null) return method || selector || l10n.t('native transfer');
  return created === undefined || !status
    ? l10n.t('create contract')
    : l10n.t('{0} deployed', created);
}
