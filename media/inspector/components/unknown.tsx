import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';

/** Placeholder for an unknown fact. */
export function Unknown(): VNode {
  return <span class="quiet">{l10n.t('unknown')}</span>;
}
