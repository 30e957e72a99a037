import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../components/icon';
import { ExportMenu } from '../export/export-menu';
import { useInspector } from '../ui-state/inspector-context';
import type { Action } from '../protocol/protocol';

const buttons = (): Record<Action, { icon: string; label: string; hint: string }> => ({
  debugTransaction: {
    icon: 'debug-alt',
    label: l10n.t('Debug'),
    hint: l10n.t('Step through this transaction, forwards and backwards'),
  },
  forkBeforeTransaction: {
    icon: 'repo-forked',
    label: l10n.t('Fork before'),
    hint: l10n.t('Fork the chain right before this transaction'),
  },
  resimulateTransaction: {
    icon: 'debug-rerun',
    label: l10n.t('Re-simulate'),
    hint: l10n.t('Simulate this transaction again with changes'),
  },
  createFoundryTest: {
    icon: 'beaker',
    label: l10n.t('Foundry test'),
    hint: l10n.t('Create a Foundry test of this transaction'),
  },
  compareWith: {
    icon: 'git-compare',
    label: l10n.t('Compare…'),
    hint: l10n.t('Compare with another analysis'),
  },
});

/** Actions on the transaction. Labels are shown if there is enough space. */
export function Actions(): VNode {
  const { state, post } = useInspector();
  return (
    <div class="actions" role="toolbar" aria-label={l10n.t('Actions')}>
      {state.hostContext.value.actions.map((action) => {
        const { icon, label, hint } = buttons()[action];
        return (
          <button
            key={action}
            type="button"
            class="action"
            title={hint}
            onClick={() => {
              post({ type: 'run', action });
            }}
          >
            <Icon name={icon} />
            <span class="action-label">{label}</span>
          </button>
        );
      })}
      <ExportMenu />
    </div>
  );
}
