import type { VNode } from 'preact';
import { Icon } from '../components/icon';
import { ExportMenu } from '../export/export-menu';
import { useInspector } from '../inspector-context';
import type { Action } from '../protocol';

const BUTTONS: Record<Action, { icon: string; label: string; hint: string }> = {
  forkBeforeTransaction: {
    icon: 'repo-forked',
    label: 'Fork before',
    hint: 'Fork the chain right before this transaction',
  },
  resimulateTransaction: {
    icon: 'debug-rerun',
    label: 'Re-simulate',
    hint: 'Simulate this transaction again with changes',
  },
  createFoundryTest: {
    icon: 'beaker',
    label: 'Foundry test',
    hint: 'Create a Foundry test of this transaction',
  },
  compareWith: {
    icon: 'git-compare',
    label: 'Compare…',
    hint: 'Compare with another analysis',
  },
};

/** What can be done with the transaction: where there is room, in words. */
export function Actions(): VNode {
  const { state, post } = useInspector();
  return (
    <div class="actions" role="toolbar" aria-label="Actions">
      {state.surroundings.value.actions.map((action) => {
        const { icon, label, hint } = BUTTONS[action];
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
