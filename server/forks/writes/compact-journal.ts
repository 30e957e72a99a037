import type { HistoryEntry, JournalEntry } from './journal';
import { plus, type Size } from './journal-size';

/** Superfluous entries that a journal may contain before it is compacted. */
export const MAX_SUPERFLUOUS: Size = { entries: 512, bytes: 64 * 1024 * 1024 };

/**
 * Whether most of a journal is superfluous.
 * @param written its size
 * @param needed its size after compaction
 * @param accepted size of the superfluous entries that it may contain
 */
export function needsCompaction(written: Size, needed: Size, accepted: Size): boolean {
  const limit = plus(accepted, plus(needed, needed));
  return written.entries > limit.entries || written.bytes > limit.bytes;
}

export const DROP_POOL: JournalEntry = {
  op: 'call',
  method: 'anvil_dropAllTransactions',
  params: [],
};

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
