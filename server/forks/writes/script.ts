import type { JournalEntry, HistoryEntry } from './journal';

/** Size of some entries in a journal. */
export interface Size {
  entries: number;
  /** Small entries count with an estimate. */
  bytes: number;
}

/** Estimated line length of an entry that is kept whole in memory. */
const SMALL_BYTES = 256;

export const NOTHING: Size = { entries: 0, bytes: 0 };

export const DROP_POOL: JournalEntry = {
  op: 'call',
  method: 'anvil_dropAllTransactions',
  params: [],
};

export const plus = (a: Size, b: Size): Size => ({
  entries: a.entries + b.entries,
  bytes: a.bytes + b.bytes,
});

export const minus = (a: Size, b: Size): Size => ({
  entries: a.entries - b.entries,
  bytes: a.bytes - b.bytes,
});

export const sumOf = (sizes: readonly Size[]): Size => sizes.reduce(plus, NOTHING);

export const sizeOf = (entry: HistoryEntry): Size => ({
  entries: 1,
  bytes: 'stored' in entry ? entry.stored.bytes : SMALL_BYTES,
});

/** Index of the entry that takes a snapshot; -1 for the default one, which precedes all entries. */
export const indexOfTaking = (script: readonly HistoryEntry[], id: string): number =>
  script.findLastIndex((entry) => {
    if (entry.op === 'keep') return entry.snapshot.id === id;
    return entry.op === 'snapshot' && entry.id === id;
  });

/** A send that mined no block has no time. */
const makesBlocks = (entry: HistoryEntry): boolean =>
  entry.op === 'mine' || (entry.op === 'send' && entry.timestamp !== undefined);

/**
 * A shorter script that leads to the same state on a new engine. A revert that is not exact affects later blocks, so a revert after the
 * last block is removed together with the entries that it reverted. Test suites that revert after each test therefore leave no entries.
 */
export function withoutRevertedEntries(script: readonly HistoryEntry[]): HistoryEntry[] {
  let left = [...script];
  for (;;) {
    const revertAt = left.findLastIndex((entry) => makesBlocks(entry) || entry.op === 'revert');
    const revert = left[revertAt];
    if (revert?.op !== 'revert') return left;
    const takenAt = indexOfTaking(left.slice(0, revertAt), revert.id);
    const taking = left[takenAt];
    const pool = taking && 'pool' in taking ? [DROP_POOL] : [];
    // A revert consumes a snapshot, unless it is a named one.
    const until = taking?.op === 'snapshot' ? takenAt : takenAt + 1;
    left = [...left.slice(0, until), ...pool, ...left.slice(revertAt + 1)];
  }
}
