import { ancestors, isLeaf, type CallTree } from '../model/tree-model';

/** Which rows are open: those above `depth`, inverted for the rows in `except`. The small representation can open 100,000 rows. */
export interface Expansion {
  depth: number;
  except: ReadonlySet<number>;
}

/** Rows that are open at first, about a screen and a half. */
const INITIAL_ROWS = 60;

/** JSON cannot represent Infinity, and no tree is this deep. */
const ALL = Number.MAX_SAFE_INTEGER;

export const everything: Expansion = { depth: ALL, except: new Set() };
/** The top call and its calls. */
export const topCalls: Expansion = { depth: 1, except: new Set() };

export function isOpen(tree: CallTree, expansion: Expansion, index: number): boolean {
  const depth = tree.rows[index]?.depth ?? 0;
  return depth < expansion.depth !== expansion.except.has(index) && !isLeaf(tree, index);
}

export function setOpen(
  tree: CallTree,
  expansion: Expansion,
  indices: Iterable<number>,
  open: boolean,
): Expansion {
  const except = new Set(expansion.except);
  for (const index of indices) {
    const byDepth = (tree.rows[index]?.depth ?? 0) < expansion.depth;
    if (byDepth === open) except.delete(index);
    else except.add(index);
  }
  return { ...expansion, except };
}

/** Opens all ancestors of the row. */
export function reveal(tree: CallTree, expansion: Expansion, index: number): Expansion {
  return setOpen(tree, expansion, ancestors(tree, index), true);
}

/** Opens as many levels as fit on the first screens, at least the calls of the top call. */
export function firstExpansion(tree: CallTree): Expansion {
  const perDepth: number[] = [];
  for (const { depth } of tree.rows) perDepth[depth] = (perDepth[depth] ?? 0) + 1;
  let shown = 0;
  let depth = 0;
  while (depth < perDepth.length && shown + (perDepth[depth] ?? 0) <= INITIAL_ROWS) {
    shown += perDepth[depth] ?? 0;
    depth++;
  }
  return depth >= perDepth.length
    ? everything
    : { depth: Math.max(1, depth - 1), except: new Set() };
}
