import type { FlowRow } from '../protocol/protocol';

/** Kinds of rows that the tree shows. */
export interface ShownKinds {
  /** STATICCALLs with all their descendants. */
  statics: boolean;
  /** DELEGATECALLs. If they are hidden, their calls move up one level. */
  delegates: boolean;
  events: boolean;
}

export const EVERY_KIND: ShownKinds = { statics: true, delegates: true, events: true };

function isOf(row: FlowRow, operation: string): boolean {
  return row.nodeType === 0 && row.invocation.operation === operation;
}

/** The level of each row in a tree of the shown kinds; -1 for hidden rows. */
export function shownLevels(rows: readonly FlowRow[], kinds: ShownKinds): Int32Array {
  const levels = new Int32Array(rows.length).fill(-1);
  /** Number of hidden delegate calls above a row, by its depth. */
  const above: number[] = [];
  let hiddenBelow = Infinity;
  for (const [index, row] of rows.entries()) {
    const { depth } = row;
    if (depth > hiddenBelow) continue;
    hiddenBelow = Infinity;
    const skipped = above[depth] ?? 0;
    above[depth + 1] = skipped;
    // The top call is always shown.
    if (depth > 0) {
      if (!kinds.events && row.nodeType === 1) continue;
      if (!kinds.statics && isOf(row, 'STATICCALL')) {
        hiddenBelow = depth;
        continue;
      }
      if (!kinds.delegates && isOf(row, 'DELEGATECALL')) {
        above[depth + 1] = skipped + 1;
        continue;
      }
    }
    levels[index] = depth - skipped;
  }
  return levels;
}

/** Keeps only some rows and their ancestors. @param parent parent of each row in the tree of these levels */
export function onlyWithAncestors(
  levels: Int32Array,
  parent: Int32Array,
  wanted: Iterable<number>,
): Int32Array {
  const kept = new Int32Array(levels.length).fill(-1);
  for (const index of wanted) {
    for (let at = index; at >= 0 && kept[at] === -1; at = parent[at] ?? -1) {
      kept[at] = levels[at] ?? -1;
      if (kept[at] === -1) break;
    }
  }
  return kept;
}
