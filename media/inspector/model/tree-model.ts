import type { Invocation } from '../../../server/api/explorer';
import type { FlowRow } from '../protocol/protocol';

/**
 * The call tree as flat arrays over the rows in execution order. A row is identified by its index.
 * Nothing here recurses: traces are as deep as the EVM allows, with up to 100,000 rows.
 */
export interface CallTree {
  rows: readonly FlowRow[];
  /** Indentation level of each row, from 0; -1: the row is hidden and not part of the tree. */
  level: Int32Array;
  /** -1 for the top call. */
  parent: Int32Array;
  /** Index after the last descendant, including hidden rows between them. */
  end: Int32Array;
  /** Number of direct children of each row. */
  children: Int32Array;
  /** Position among the siblings, from 1, and the number of siblings. */
  position: Int32Array;
  siblings: Int32Array;
}

/** Id of a row's node in the invocation flow. */
export const nodeId = (row: FlowRow): number =>
  (row.nodeType === 0 ? row.invocation : row.event).id;

/** Whether a row is a call that sends native value. */
export const movesValue = (row: FlowRow): boolean =>
  row.nodeType === 0 && row.invocation.value !== '' && row.invocation.value !== '0';

/** Index of the row of a node; undefined if there is none. */
export function indexOfNode(
  rows: readonly FlowRow[],
  id: number | null | undefined,
): number | undefined {
  const index = rows.findIndex((row) => nodeId(row) === id);
  return index < 0 ? undefined : index;
}

/** The depth of each row. The loop is several times as fast as `Int32Array.from`. */
export function depthsOf(rows: readonly { readonly depth: number }[]): Int32Array {
  const depths = new Int32Array(rows.length);
  rows.forEach(({ depth }, index) => {
    depths[index] = depth;
  });
  return depths;
}

/** Index of the row of the first of these nodes that has one. */
export function indexOfFirst(rows: readonly FlowRow[], ids: readonly number[]): number | undefined {
  const rankOf = new Map(ids.map((id, rank) => [id, rank]));
  let [best, found]: [number, number | undefined] = [Infinity, undefined];
  for (const [index, row] of rows.entries()) {
    const rank = rankOf.get(nodeId(row)) ?? Infinity;
    if (rank < best) [best, found] = [rank, index];
  }
  return found;
}

/** @param level level of each row, -1 to hide it; by default each row's depth */
export function buildCallTree(rows: readonly FlowRow[], level = depthsOf(rows)): CallTree {
  const parent = new Int32Array(rows.length).fill(-1);
  const end = new Int32Array(rows.length);
  const position = new Int32Array(rows.length);
  const children = new Int32Array(rows.length);
  let tops = 0;
  const open: number[] = [];
  const closeTo = (depth: number, index: number): void => {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if ((level[top] ?? -1) < depth) break;
      end[top] = index;
      open.pop();
    }
  };
  level.forEach((depth, index) => {
    end[index] = index + 1;
    if (depth < 0) return;
    closeTo(depth, index);
    const above = open.at(-1) ?? -1;
    parent[index] = above;
    position[index] = above < 0 ? ++tops : (children[above] = (children[above] ?? 0) + 1);
    open.push(index);
  });
  closeTo(0, rows.length);
  const siblings = parent.map((above) => (above < 0 ? tops : (children[above] ?? 0)));
  return { rows, level, parent, end, children, position, siblings };
}

export function isLeaf(tree: CallTree, index: number): boolean {
  return tree.children[index] === 0;
}

export function isShown(tree: CallTree, index: number): boolean {
  return (tree.level[index] ?? -1) >= 0;
}

/** The direct children of a row, in order; for -1 the top calls. */
export function childrenOf(tree: CallTree, parent: number): number[] {
  const found: number[] = [];
  const end = parent < 0 ? tree.rows.length : (tree.end[parent] ?? 0);
  for (let at = parent + 1; at < end; at = tree.end[at] ?? end) {
    if (isShown(tree, at)) found.push(at);
  }
  return found;
}

/** The ancestors of a row, nearest first. */
export function ancestors(tree: CallTree, index: number): number[] {
  const found: number[] = [];
  for (let at = tree.parent[index] ?? -1; at >= 0; at = tree.parent[at] ?? -1) found.push(at);
  return found;
}

/** Indices of the rows that are neither hidden nor inside a closed row, ascending. */
export function visibleRows(tree: CallTree, isOpen: (index: number) => boolean): Int32Array {
  const visible = new Int32Array(tree.rows.length);
  let count = 0;
  for (let index = 0; index < tree.rows.length;) {
    const shown = isShown(tree, index);
    if (shown) visible[count++] = index;
    index = !shown || isOpen(index) ? index + 1 : (tree.end[index] ?? tree.rows.length);
  }
  return visible.subarray(0, count);
}

/** Position of a row among the visible rows. For an invisible row, the position of the last visible row before it; -1 if there is none. */
export function visiblePosition(visible: ArrayLike<number>, index: number): number {
  let low = 0;
  let high = visible.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((visible[middle] ?? Infinity) <= index) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function invocationAt(tree: CallTree, index: number): Invocation | undefined {
  const row = tree.rows[index];
  return row?.nodeType === 0 ? row.invocation : undefined;
}

function lastCallInside(tree: CallTree, index: number): number | undefined {
  let last: number | undefined;
  const end = tree.end[index] ?? 0;
  for (let child = index + 1; child < end; child = tree.end[child] ?? end) {
    if (invocationAt(tree, child)) last = child;
  }
  return last;
}

/** Whether a failed call only passed on the failure of a call inside it. */
export function passesFailureOn(tree: CallTree, index: number): boolean {
  const inner = lastCallInside(tree, index);
  const call = inner === undefined ? undefined : invocationAt(tree, inner);
  return (
    call?.status === false &&
    call.output !== '' &&
    call.output === invocationAt(tree, index)?.output
  );
}

/**
 * The frame that caused the transaction's failure. Descends from the top call while the last inner call failed and its
 * revert data was passed on or dropped. Undefined if the transaction succeeded.
 */
export function failureOrigin(tree: CallTree): number | undefined {
  let origin: number | undefined;
  let at: number | undefined = 0;
  while (at !== undefined) {
    const call: Invocation | undefined = invocationAt(tree, at);
    if (!call || call.status) break;
    const above: Invocation | undefined =
      origin === undefined ? undefined : invocationAt(tree, origin);
    if (above && above.output !== '' && above.output !== '0x' && above.output !== call.output)
      break;
    origin = at;
    at = lastCallInside(tree, at);
  }
  return origin;
}

/**
 * The next failure from a row: first the origin of the transaction's failure, then one failed call after the other, wrapping around.
 * Skips callers that only passed the failure on.
 */
export function nextFailure(tree: CallTree, from: number, origin?: number): number | undefined {
  const passesOn = (index: number): boolean =>
    origin !== undefined && index < origin && origin < (tree.end[index] ?? 0);
  const isFailure = (index: number): boolean =>
    invocationAt(tree, index)?.status === false && !passesOn(index);
  if (origin !== undefined && !isFailure(from)) return origin;
  const { length } = tree.rows;
  for (let step = 1; step <= length; step++) {
    const index = (from + step) % length;
    if (isFailure(index)) return index;
  }
  return undefined;
}
