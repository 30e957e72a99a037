import { isOpen, setOpen, type Expansion } from './expansion';
import { childrenOf, isLeaf, nextFailure, visiblePosition, type CallTree } from './tree-model';

/** Where the reader is in the tree. */
export interface TreePlace {
  tree: CallTree;
  visible: Int32Array;
  expansion: Expansion;
  selected: number;
  /** Rows that fit on the screen. */
  page: number;
}

/** What a key asks for: a change of place, or something that the tree does not do by itself. */
export type TreeMove =
  | { selected: number }
  | { expansion: Expansion }
  | { action: 'details' | 'closeDetails' | 'copy' }
  | { show: number };

/**
 * The keys of the ARIA tree pattern and of VS Code's trees: arrows, Home, End, pages, `*` (open all siblings), Enter (details),
 * Space (open or close), and `e` (next failure), `c` (copy), Escape.
 * @returns undefined where the key means nothing here
 */
export function treeMove(key: string, place: TreePlace): TreeMove | undefined {
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
      return { action: 'details' };
    case 'Escape':
      return { action: 'closeDetails' };
    case 'c':
      return { action: 'copy' };
    case 'e': {
      const failure = nextFailure(tree, row);
      return failure === undefined ? undefined : { show: failure };
    }
    default:
      return undefined;
  }
}
