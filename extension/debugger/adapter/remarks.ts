import * as l10n from '@vscode/l10n';
import type { Recording } from '../../../server/api/recording';
import { shortHex } from '../../../server/client/format';
import { sentence } from '../../model/sentence';
import type { Launch } from './launch';

interface Remark {
  text: string;
  category: 'important' | 'console';
}

/** What the user has to know of a session before it begins. */
export function remarksOf(
  { changes }: Pick<Launch, 'changes'>,
  {
    verification,
    contracts,
    status,
    failure,
  }: Pick<Recording, 'verification' | 'contracts' | 'status' | 'failure'>,
): Remark[] {
  const remarks: Remark[] = [];
  if (changes.length > 0) {
    const text = l10n.t(
      'This is a simulation from the start of the transaction. Changed before it: {0}.',
      changes.join(', '),
    );
    remarks.push({ text, category: 'important' });
  }
  if (!status && failure !== '') {
    remarks.push({ text: l10n.t('The transaction fails: {0}', failure), category: 'important' });
  }
  if (verification.level === 'different') {
    const { reason = '' } = verification;
    const text = l10n.t('The recording differs from the receipt: {0}', reason);
    remarks.push({ text, category: 'important' });
  }
  for (const warning of verification.warnings ?? []) {
    remarks.push({ text: sentence(warning), category: 'important' });
  }
  for (const { name, address, unavailable } of contracts) {
    if (unavailable === undefined) continue;
    const text = `${name === '' ? shortHex(address) : name}: ${sentence(unavailable)}`;
    remarks.push({ text, category: 'console' });
  }
  return remarks;
}
