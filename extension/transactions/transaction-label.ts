import * as l10n from '@vscode/l10n';
import type { ForkTransaction } from '../../server/api/fork';

/** What a transaction does, in a word or two. */
export function transactionLabel({ method, selector, to }: ForkTransaction): string {
  if (to === null) return l10n.t('create contract');
  return method || selector || l10n.t('native transfer');
}
