import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../components/icon';
import type { Summary } from '../model/summary';

/** An icon and a word for the outcome. */
function lookOf({ outcome }: Summary): { icon: string; word: string } {
  switch (outcome) {
    case 'success':
      return { icon: 'pass-filled', word: l10n.t('Success') };
    case 'reverted':
      return { icon: 'error', word: l10n.t('Reverted') };
    case 'failed':
      return { icon: 'error', word: l10n.t('Failed') };
  }
}

/** Outcome of the transaction. */
export function Outcome({ summary }: { summary: Summary }): VNode {
  const { icon, word } = lookOf(summary);
  return (
    <span class={`outcome ${summary.outcome}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
