import type { JournalEntry, KeptEntry } from './journal';

/** How much of a journal some entries take. */
export interface Size {
  entries: number;
  /** Lines of small entries are not measured. */
  bytes: number;
}

/** Of the line of an entry that memory keeps as a whole, about. */
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

export const sizeOf = (entry: KeptEntry): Size => ({
  entries: 1,
  bytes: 'stored' in entry ? entry.stored.bytes : SMALL_BYTES,
});

/** Where a snapshot is taken; -1 for the default one, which is taken before everything. */
export const indexOfTaking = (script: readonly KeptEntry[], id: string): number =>
  script.findLastIndex((entry) => {
    if (entry.op === 'keep') return entry.snapshot.id === id;
    return entry.op === 'snapshot' && entry.id === id;
  });

/** A send that made none has no time. */
const makesBlocks = (entry: KeptEntry): boolean =>
  entry.op === 'mine' || (entry.op === 'send' && entry.timestamp !== undefined);

/**
 * A script that leads to the same state for a new engine: an inexact revert matters to the blocks that come after it, so one behind
 * the last block is left out together with what it took back. Test suites that revert after each test come to nothing this way.
 */
export function withoutDetours(script: readonly KeptEntry[]): KeptEntry[] {
  let left = [...script];
  for (;;) {
    const revertAt = left.findLastIndex((entry) => makesBlocks(entry) || entry.op === 'revert');
    const revert = left[revertAt];
    if (revert?.op !== 'revert') return left;
    const takenAt = indexOfTaking(left.slice(0, revertAt), revert.id);
    const taking = left[takenAt];
    const pool = taking && 'pool' in taking ? [DROP_POOL] : [];
    // A revert consumes a snapshot, but a named one.
    const until = taking?.op === 'snapshot' ? takenAt : takenAt + 1;
    left = [...left.slice(0, until), ...pool, ...left.slice(revertAt + 1)];
  }
}
