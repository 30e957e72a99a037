import type { CallTree } from '../model/tree-model';
import type { FlowRow } from '../protocol/protocol';
import type { AlignedRow } from './align-trees';
import { sameInput } from './same-input';

/** Kinds of differences between two paired rows. `only`: one side lacks the row. */
export type Difference =
  'only' | 'call' | 'arguments' | 'value' | 'outcome' | 'output' | 'reason' | 'gas';

/** Differences before the frame runs. */
function entryDifferences(left: FlowRow, right: FlowRow): Difference[] {
  const found: Difference[] = [];
  if (left.nodeType === 0 && right.nodeType === 0) {
    const [a, b] = [left.invocation, right.invocation];
    const same =
      a.operation === b.operation && a.selector === b.selector && a.fromAddress === b.fromAddress;
    const created = a.operation.startsWith('CREATE');
    if (!same || (!created && a.address !== b.address)) found.push('call');
    if (!sameInput(left, right)) found.push('arguments');
    if (a.value !== b.value) found.push('value');
  } else if (left.nodeType === 1 && right.nodeType === 1) {
    if (left.event.contract !== right.event.contract) found.push('call');
    if (!sameInput(left, right)) found.push('arguments');
  } else {
    found.push('call');
  }
  return found;
}

/** Differences after the frame has run. */
function exitDifferences(left: FlowRow, right: FlowRow): Difference[] {
  const found: Difference[] = [];
  if (left.nodeType === 0 && right.nodeType === 0) {
    const [a, b] = [left.invocation, right.invocation];
    if (a.status !== b.status) found.push('outcome');
    if (a.output !== b.output) found.push('output');
    if (a.revertMessage !== b.revertMessage || a.errorInfo !== b.errorInfo) found.push('reason');
  }
  return found;
}

/** Whether a call around a row, whose outcome then differs, undoes it on one side alone. */
const isUndoneOnce = (left: FlowRow, right: FlowRow): boolean =>
  undone(left) !== undone(right) && !failed(left) && !failed(right);
const undone = (row: FlowRow): boolean =>
  row.nodeType === 0 ? row.invocation.revert : row.event.revert;
const failed = (row: FlowRow): boolean => row.nodeType === 0 && !row.invocation.status;

function gasOf(row: FlowRow): number | undefined {
  return row.nodeType === 0 ? row.invocation.gasUsed : undefined;
}

export interface Comparison {
  rows: readonly AlignedRow[];
  /** Parallel to `rows`. */
  differences: readonly (readonly Difference[])[];
  /** Indices of the `rows` that differ in more than gas, in execution order of the differences. */
  divergences: readonly number[];
}

/**
 * Finds the differences and their order. A frame's inputs differ before its calls, its results after them. The first divergence
 * is therefore the cause, and not the top call, which only shows the consequences.
 */
export function compareRows(
  left: CallTree,
  right: CallTree,
  rows: readonly AlignedRow[],
): Comparison {
  const differences: Difference[][] = [];
  const divergences: number[] = [];
  const open: { rowIndex: number; depth: number }[] = [];
  const marked = new Uint8Array(rows.length);
  const mark = (rowIndex: number): void => {
    if (marked[rowIndex] === 0) divergences.push(rowIndex);
    marked[rowIndex] = 1;
  };
  const closeTo = (depth: number): void => {
    for (let last = open.at(-1); last !== undefined && last.depth >= depth; last = open.at(-1)) {
      open.pop();
      const { left: l = -1, right: r = -1 } = rows[last.rowIndex] ?? {};
      const [a, b] = [left.rows[l], right.rows[r]];
      if (!a || !b) continue;
      const found = exitDifferences(a, b);
      if (found.length > 0) mark(last.rowIndex);
      // What a failure undoes is no difference of its own: its cause is the failure.
      else if (isUndoneOnce(a, b)) found.push('outcome');
      differences[last.rowIndex]?.push(...found);
      if (gasOf(a) !== gasOf(b)) differences[last.rowIndex]?.push('gas');
    }
  };
  rows.forEach(({ left: l, right: r, depth }, rowIndex) => {
    closeTo(depth);
    const [a, b] = [left.rows[l], right.rows[r]];
    const found: Difference[] = a && b ? entryDifferences(a, b) : ['only'];
    differences.push(found);
    // In a branch that one side lacks, only the topmost row is marked.
    const above = rows[open.at(-1)?.rowIndex ?? -1];
    const isInside = above !== undefined && (above.left < 0 || above.right < 0);
    if (found.length > 0 && !isInside) mark(rowIndex);
    open.push({ rowIndex, depth });
  });
  closeTo(0);
  return { rows, differences, divergences };
}
