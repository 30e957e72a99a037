import * as l10n from '@vscode/l10n';
import { methodText } from '../../server/client/method-text';
import type { TransactionNode } from '../model/tree-node';

/** What a transaction of a fork does, in a word or two. */
export function transactionLabel({
  transaction,
  created,
}: Pick<TransactionNode, 'transaction' | 'created'>): string {
  if (transaction.to !== null) return methodText(transaction) || l10n.t('native transfer');
  return created === undefined || !transaction.status
    ? l10n.t('create contract')
    : l10n.t('{0} deployed', created);
}
