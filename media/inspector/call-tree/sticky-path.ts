import { ancestors, type CallTree } from './tree-model';

/** Lines that the path may take from the rows. */
const STICKY_LIMIT = 5;

/** The path to a row in a few lines: the top call, then the callers nearest to it. */
export function pathTo(tree: CallTree, index: number): number[] {
  const path = ancestors(tree, index).reverse();
  const [top] = path;
  if (top === undefined || path.length <= STICKY_LIMIT) return path;
  return [top, ...path.slice(1 - STICKY_LIMIT)];
}

/**
 * The rows that stick above the others: the path to the first row that is in sight below them.
 * @param first place among the visible rows of the one at the top of the view
 */
export function stickyPath(tree: CallTree, visible: Int32Array, first: number): number[] {
  for (let lines = 0; lines <= STICKY_LIMIT; lines++) {
    const below = visible[first + lines];
    if (below === undefined) return [];
    const path = pathTo(tree, below);
    if (path.length <= lines) return path;
  }
  return [];
}
