import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';

/** Stands where a fact would, if it were known. */
export function Unknown(): VNode {
  return <span class="quiet">{l10n.t('unknown')}</span>;
}
