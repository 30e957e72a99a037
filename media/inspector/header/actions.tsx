import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CardMenu } from '../card/card-menu';
import { Icon } from '../components/icon';
import { MenuButton, type MenuItem } from '../components/menu';
import { useExports } from '../export/use-exports';
import { useInspector } from '../ui-state/inspector-context';
import type { Action, Flow, FromWebview } from '../protocol/protocol';

interface ActionLook {
  icon: string;
  label: string;
  hint: string;
  message: FromWebview;
}

/** The actions with words, in order. A failed transaction is debugged from its failure. */
function buttonsOf(actions: readonly Action[], isFailed: boolean): ActionLook[] {
  const debug: ActionLook = isFailed
    ? {
        icon: 'debug-alt',
        label: l10n.t('Debug From the Failure'),
        hint: l10n.t('Stop where the transaction failed, and step backwards from there'),
        message: { type: 'debug', from: 'failure' },
      }
    : {
        icon: 'debug-alt',
        label: l10n.t('Debug'),
        hint: l10n.t('Step through this transaction, forwards and backwards'),
        message: { type: 'run', action: 'debugTransaction' },
      };
  const fork: ActionLook = {
    icon: 'repo-forked',
    label: l10n.t('Fork Before'),
    hint: l10n.t('Fork the chain right before this transaction'),
    message: { type: 'run', action: 'forkBeforeTransaction' },
  };
  return [
    ...(actions.includes('debugTransaction') ? [debug] : []),
    ...(actions.includes('forkBeforeTransaction') ? [fork] : []),
  ];
}

/** The actions of the menu, in order. */
const menuTitles = (isFailed: boolean): readonly (readonly [Action, string])[] => [
  ...(isFailed ? [['debugTransaction', l10n.t('Debug From the Start')] as const] : []),
  ['resimulateTransaction', l10n.t('Simulate With Changes…')],
  ['compareWith', l10n.t('Compare With…')],
  ['createFoundryTest', l10n.t('Create Foundry Test…')],
  ['saveAsCase', l10n.t('Save As Case…')],
];

/** Actions on the transaction: the frequent ones with words, all others in a menu. */
export function Actions({ flow }: { flow: Flow }): VNode {
  const { state, post } = useInspector();
  const { isBusy, exportItems } = useExports();
  const { actions } = state.hostContext.value;
  const isFailed = !flow.status;

  function menuItems(): MenuItem[] {
    const offered = menuTitles(isFailed).filter(([action]) => actions.includes(action));
    return [
      ...offered.map(([action, title]) => ({
        title,
        onSelect: () => {
          post({ type: 'run', action });
        },
      })),
      ...exportItems().map((item, index) => ({ ...item, first: index === 0 })),
    ];
  }

  return (
    <div class="actions" role="toolbar" aria-label={l10n.t('Actions')}>
      {buttonsOf(actions, isFailed).map(({ icon, label, hint, message }, index) => (
        <button
          key={label}
          type="button"
          class={isFailed && index === 0 ? 'action primary' : 'action'}
          title={hint}
          onClick={() => {
            post(message);
          }}
        >
          <Icon name={icon} />
          <span class="action-label">{label}</span>
        </button>
      ))}
      <CardMenu flow={flow} />
      <MenuButton
        icon={isBusy ? 'loading' : 'ellipsis'}
        label={isBusy ? l10n.t('Loading the analysis for the export…') : l10n.t('More actions')}
        items={menuItems}
      />
    </div>
  );
}
