import { ancestors, type CallTree } from '../model/tree-model';

/** Largest number of lines that the path may cover. */
const STICKY_LIMIT = 5;

/** The path to a row, shortened: the top call, then the nearest callers. */
export function pathTo(tree: CallTree, index: number): number[] {
  const path = ancestors(tree, index).reverse();
  const [top] = path;
  if (top === undefined || path.length <= STICKY_LIMIT) return path;
  return [top, ...path.slice(1 - STICKY_LIMIT)];
}

/**
 * The rows that stick at the top: the path to the first row that is visible below them.
 * @param first position of the topmost row in view, among the visible rows
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
