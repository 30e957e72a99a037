import * as l10n from '@vscode/l10n';
import type { ChangeEvidence } from '../api/shown-change';

/**
 * Follows a balance change that is not simply measured; empty for one that is.
 * @param claimed what events claim instead, with its sign
 */
export function evidenceText(evidence: ChangeEvidence, claimed: string): string {
  switch (evidence) {
    case 'measured':
      return '';
    case 'contradicted':
      return l10n.t('events claim {0}', claimed);
    case 'unreported':
      return l10n.t('unexplained');
    case 'claimed':
      return l10n.t('not measured');
  }
}
