import type { ForkJournal } from '../api/fork';
import type { NamedSnapshot } from './writes/journal';

/** What is known of what was done on a fork, whether it is awake or not. */
export interface KnownJournal {
  /** Transactions that were made on it. */
  transactions: () => number;
  /** Its named snapshots, oldest first. */
  named: () => readonly NamedSnapshot[];
  size: () => ForkJournal;
}

/** Of a fork without an engine: all of it stays as it is. */
export const knownJournal = (
  transactions: number,
  named: readonly NamedSnapshot[],
  size: ForkJournal,
): KnownJournal => {
  // The history, which has the way to each, is not to be kept for them.
  const snapshots = named.map(({ id, name, createTime, blockNumber }) => ({
    id,
    name,
    createTime,
    blockNumber,
  }));
  return { transactions: () => transactions, named: () => snapshots, size: () => size };
};
