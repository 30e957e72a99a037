import * as l10n from '@vscode/l10n';
import type { FlowRow } from '../protocol/protocol';
import { callName } from '../../../server/presentation/lines';
import { isOpen, setOpen, type Expansion } from '../ui-state/expansion';
import { childrenOf, isLeaf, visiblePosition, type CallTree } from '../model/tree-model';

/** The user's current position in the tree. */
export interface TreePosition {
  tree: CallTree;
  visible: Int32Array;
  expansion: Expansion;
  selected: number;
  /** Rows that fit on the screen. */
  page: number;
}

/** Effect of a key: a change of position, or an action that the tree does not handle itself. */
export type TreeMove =
  | { selected: number }
  | { expansion: Expansion }
  | { action: 'source' | 'details' | 'closeDetails' | 'copy' | 'failure' };

/** The keys and their descriptions for the user. */
export const treeKeys = (): readonly (readonly [keys: string, what: string])[] => [
  ['↑ ↓', l10n.t('One row up or down')],
  [l10n.t('Page Up, Page Down'), l10n.t('One page up or down')],
  [l10n.t('Home, End'), l10n.t('First or last row')],
  ['→', l10n.t('Open the row, then go into it')],
  ['←', l10n.t('Close the row, then go to its caller')],
  [l10n.t('Space'), l10n.t('Open or close the row')],
  ['*', l10n.t('Open all rows beside this one')],
  ['A … Z', l10n.t('Next row of a method that begins so (Shift for C, D and E)')],
  ['Enter', l10n.t('Open the source, or the details where there is none')],
  ['D', l10n.t('Show or hide the details')],
  ['Escape', l10n.t('Close the details')],
  ['E', l10n.t('Where the failure came from, then the next failure')],
  ['C', l10n.t('Copy the row as text')],
  ['Shift+F10', l10n.t('All that can be done with the row')],
  ['/', l10n.t('Search')],
  ['F3, Shift+F3', l10n.t('Next or previous match')],
  ['?', l10n.t('These keys')],
];

function nameOf(row: FlowRow | undefined): string {
  if (!row) return '';
  return row.nodeType === 0 ? callName(row.invocation) : row.event.decodedLog.name;
}

/** The next visible row whose method or event name starts with a letter, wrapping around. */
function startingWith(
  { tree, visible }: TreePosition,
  at: number,
  letter: string,
): number | undefined {
  for (let step = 1; step <= visible.length; step++) {
    const index = visible[(at + step) % visible.length] ?? 0;
    if (nameOf(tree.rows[index]).toLowerCase().startsWith(letter)) return index;
  }
  return undefined;
}

/**
 * Handles the keys of the ARIA tree pattern and of VS Code's trees, and our own: see {@link treeKeys}.
 * @returns undefined if the key has no meaning here
 */
export function treeMove(key: string, place: TreePosition): TreeMove | undefined {
  const { tree, visible, expansion, selected, page } = place;
  const at = visiblePosition(visible, selected);
  const row = visible[at];
  if (row === undefined) return undefined;
  const to = (position: number): TreeMove => ({
    selected: visible[Math.min(Math.max(position, 0), visible.length - 1)] ?? row,
  });
  const open = isOpen(tree, expansion, row);
  const toggled = (): TreeMove => ({ expansion: setOpen(tree, expansion, [row], !open) });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(visible.length - 1);
    case 'ArrowRight':
      if (isLeaf(tree, row)) return { selected: row };
      return open ? to(at + 1) : toggled();
    case 'ArrowLeft': {
      if (open) return toggled();
      const parent = tree.parent[row] ?? -1;
      return { selected: parent < 0 ? row : parent };
    }
    case ' ':
      return isLeaf(tree, row) ? { selected: row } : toggled();
    case '*':
      return {
        expansion: setOpen(tree, expansion, childrenOf(tree, tree.parent[row] ?? -1), true),
      };
    case 'Enter':
      return { action: 'source' };
    case 'd':
      return { action: 'details' };
    case 'Escape':
      return { action: 'closeDetails' };
    case 'c':
      return { action: 'copy' };
    case 'e':
      return { action: 'failure' };
    default: {
      if (!/^[a-z]$/i.test(key)) return undefined;
      const next = startingWith(place, at, key.toLowerCase());
      return next === undefined ? undefined : { selected: next };
    }
  }
}
