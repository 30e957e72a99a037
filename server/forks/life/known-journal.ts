import type { ForkJournal } from '../../api/fork';
import type { NamedSnapshot } from '../writes/journal';

/** Facts about a fork's journal, available whether the fork is awake or not. */
export interface KnownJournal {
  /** Number of transactions made on it. */
  transactions: () => number;
  /** Its named snapshots, oldest first. */
  named: () => readonly NamedSnapshot[];
  size: () => ForkJournal;
}

/** For a fork without an engine, whose journal does not change. */
export const knownJournal = (
  transactions: number,
  named: readonly NamedSnapshot[],
  size: ForkJournal,
): KnownJournal => {
  // Copied, so that the history, which contains the entries of each snapshot, can be freed.
  const snapshots = named.map(({ id, name, createTime, blockNumber }) => ({
    id,
    name,
    createTime,
    blockNumber,
  }));
  return { transactions: () => transactions, named: () => snapshots, size: () => size };
};
