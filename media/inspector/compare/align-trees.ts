import { childrenOf, type CallTree } from '../model/tree-model';
import type { FlowRow } from '../protocol/protocol';
import { alignLists, SAME } from './align-lists';
import { sameInput } from './same-input';

/** A row of one or both sides: indices into the two trees, -1 if a side has no such row. */
export interface AlignedRow {
  left: number;
  right: number;
  depth: number;
}

/** Identity of a row: operation, callee and method of a call; contract and first topic of an event. */
function keyOf(row: FlowRow): string {
  if (row.nodeType === 1) return `EVENT ${row.event.contract} ${row.event.topics[0] ?? ''}`;
  const { operation, address, selector } = row.invocation;
  return `${operation} ${operation.startsWith('CREATE') ? '' : address} ${selector}`;
}

/** Whether both rows have the same method on different contracts, such as a proxy's new code or a replaced token. */
function sameMethod(left: FlowRow, right: FlowRow): boolean {
  if (left.nodeType === 1 || right.nodeType === 1) {
    return (
      left.nodeType === 1 && right.nodeType === 1 && left.event.topics[0] === right.event.topics[0]
    );
  }
  return (
    left.invocation.operation === right.invocation.operation &&
    left.invocation.selector === right.invocation.selector
  );
}

/** A tree with the precomputed keys of its rows. */
interface Side {
  tree: CallTree;
  keys: readonly string[];
}
const sideOf = (tree: CallTree): Side => ({ tree, keys: tree.rows.map(keyOf) });

/**
 * Merges both trees in execution order. The top calls are always paired, then the children of each pair in order.
 * A branch that one side lacks is not aligned further. Does not recurse.
 */
export function alignTrees(left: CallTree, right: CallTree): AlignedRow[] {
  const aligned: AlignedRow[] = [];
  const work: AlignedRow[] = [];
  const sides = [sideOf(left), sideOf(right)] as const;
  const hasLeft = left.rows.length > 0;
  const hasRight = right.rows.length > 0;
  if (hasLeft || hasRight)
    work.push({ left: hasLeft ? 0 : -1, right: hasRight ? 0 : -1, depth: 0 });
  for (let pair = work.pop(); pair; pair = work.pop()) {
    aligned.push(pair);
    for (const child of childPairs(...sides, pair).reverse()) work.push(child);
  }
  return aligned;
}

function childPairs(left: Side, right: Side, pair: AlignedRow): AlignedRow[] {
  const lefts = pair.left < 0 ? [] : childrenOf(left.tree, pair.left);
  const rights = pair.right < 0 ? [] : childrenOf(right.tree, pair.right);
  const leftKey = (at: number): string => left.keys[lefts[at] ?? -1] ?? '';
  const rightKey = (at: number): string => right.keys[rights[at] ?? -1] ?? '';
  const similarity = (l: number, r: number): number => {
    const [rowLeft, rowRight] = [left.tree.rows[lefts[l] ?? -1], right.tree.rows[rights[r] ?? -1]];
    if (!rowLeft || !rowRight) return 0;
    if (leftKey(l) === rightKey(r)) return sameInput(rowLeft, rowRight) ? SAME : SAME - 1;
    return sameMethod(rowLeft, rowRight) ? 1 : 0;
  };
  const pairs = alignLists({ left: lefts.length, right: rights.length }, similarity, {
    left: leftKey,
    right: rightKey,
  });
  const depth = pair.depth + 1;
  const below: AlignedRow[] = [];
  let [l, r] = [0, 0];
  for (const [toLeft, toRight] of [...pairs, [lefts.length, rights.length] as const]) {
    for (; l < toLeft; l++) below.push({ left: lefts[l] ?? -1, right: -1, depth });
    for (; r < toRight; r++) below.push({ left: -1, right: rights[r] ?? -1, depth });
    if (l < lefts.length && r < rights.length) {
      below.push({ left: lefts[l++] ?? -1, right: rights[r++] ?? -1, depth });
    }
  }
  return below;
}
