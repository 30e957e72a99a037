import { batch } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { IconButton } from '../components/icon-button';
import { MenuButton, type MenuItem } from '../components/menu';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { everything, topCalls, type Expansion } from '../ui-state/expansion';
import type { ShownKinds } from '../ui-state/shown-rows';
import { ancestors, nextFailure } from '../model/tree-model';
import type { TreeState } from '../ui-state/tree-state';

/** Width of all actions of a failed transaction and the bar's margins, in pixels. */
export const TREE_ACTIONS_WIDTH = 204;

/** Depths that the menu offers. */
const DEPTHS = [1, 2, 3, 4, 6, 8, 12];

const kinds = (): readonly [keyof ShownKinds, string][] => [
  ['statics', l10n.t('Static Calls')],
  ['delegates', l10n.t('Delegate Calls')],
  ['events', l10n.t('Events')],
];
const styles = (): readonly ['decoded' | 'details' | 'units', string][] => [
  ['decoded', l10n.t('Decoded, by Names')],
  ['details', l10n.t('Arguments and Results')],
  ['units', l10n.t('Amounts in Units')],
];

/** Sets the expansion and selects the outermost ancestor that stays visible. */
function expandTo(calls: TreeState, expansion: Expansion): void {
  const { selected, shownTree, wanted } = calls;
  const path = [selected.value, ...ancestors(shownTree.value, selected.value)].reverse();
  batch(() => {
    calls.expansion.value = expansion;
    selected.value = path[Math.min(expansion.depth, path.length - 1)] ?? 0;
    wanted.value = { index: selected.value, focus: true };
  });
}

function viewItems(calls: TreeState): MenuItem[] {
  const deepest = calls.tree.value.level.reduce((most, level) => Math.max(most, level), 0);
  const origin = calls.origin.value;
  return [
    ...kinds().map(([kind, title], at) => ({
      title,
      first: at === 0,
      checked: calls.kinds.value[kind],
      onSelect: () => {
        calls.kinds.value = { ...calls.kinds.value, [kind]: !calls.kinds.value[kind] };
      },
    })),
    ...styles().map(([style, title], at) => ({
      title,
      first: at === 0,
      checked: calls.style.value[style] ?? true,
      onSelect: () => {
        const isOn = calls.style.value[style] ?? true;
        calls.style.value = { ...calls.style.value, [style]: !isOn };
      },
    })),
    ...DEPTHS.filter((depth) => depth < deepest).map((depth, at) => ({
      title: l10n.t('Expand to Depth {0}', depth),
      first: at === 0,
      onSelect: () => {
        expandTo(calls, { depth, except: new Set<number>() });
      },
    })),
    ...(origin === undefined
      ? []
      : [
          {
            title: l10n.t('Expand to the Failure Only'),
            onSelect: () => {
              calls.expansion.value = topCalls;
              calls.show(origin);
            },
          },
        ]),
  ];
}

/** Toolbar of the call tree: search, failure, expansion, shown kinds, details, and the number of visible rows. */
export function TreeToolbar(): VNode {
  const { calls, toggleInternals, hostContext } = useInspector().state;
  const { isPage = false } = hostContext.value;
  const shown = calls.visible.value.length;
  const all = calls.tree.value.rows.length;
  return (
    <div class="toolbar" role="toolbar" aria-label={l10n.t('Call tree actions')}>
      {shown < all && (
        <span class="quiet count">
          {l10n.t('{0} of {1}', grouped(String(shown)), grouped(String(all)))}
        </span>
      )}
      {calls.origin.value !== undefined && (
        <IconButton
          icon="debug-step-into"
          label={l10n.t('Go to the failure (E), then to the next one')}
          onClick={() => {
            const { tree, selected, origin } = calls;
            const failure = nextFailure(tree.value, selected.value, origin.value);
            if (failure !== undefined) calls.show(failure);
          }}
        />
      )}
      <IconButton
        icon="search"
        label={l10n.t('Search (/)')}
        pressed={calls.search.isOpen.value}
        onClick={() => {
          calls.search.isOpen.value = !calls.search.isOpen.value;
        }}
      />
      <IconButton
        icon="expand-all"
        label={l10n.t('Expand all')}
        onClick={() => {
          expandTo(calls, everything);
        }}
      />
      <IconButton
        icon="collapse-all"
        label={l10n.t('Collapse to the top calls')}
        onClick={() => {
          expandTo(calls, topCalls);
        }}
      />
      {!isPage && (
        <IconButton
          icon="symbol-method"
          label={l10n.t('Calls inside contracts')}
          pressed={calls.internals.value}
          onClick={toggleInternals}
        />
      )}
      <MenuButton icon="eye" label={l10n.t('What is shown')} items={() => viewItems(calls)} />
      <IconButton
        icon="layout-panel"
        label={l10n.t('Details of the selected row (D)')}
        pressed={calls.details.value}
        onClick={() => {
          calls.details.value = !calls.details.value;
        }}
      />
    </div>
  );
}
