import type { RpcCall } from '../../evm/forms/json-rpc';

/** Transactions that one entry executed for a user. */
export interface Executions {
  /** Increases within a fork, so that no execution is counted twice. */
  sequence: number;
  /** UTC, `YYYY-MM-DD` */
  day: string;
  count: number;
}

/** A named snapshot, which remains until it is deleted. */
export interface NamedSnapshot {
  /** UUID */
  id: string;
  name: string;
  /** RFC 3339, UTC */
  createTime: string;
  /** Its newest block. */
  blockNumber: number;
}

type Step =
  /** A change of state or settings that is one call to the engine. */
  | { op: 'call'; method: string; params: readonly unknown[] }
  /** Transactions added to the pool, in order; with a timestamp they were mined as one block. */
  | { op: 'send'; calls: readonly RpcCall[]; timestamp?: number }
  /** `blocks` blocks, the first at `timestamp`, `interval` seconds apart. */
  | { op: 'mine'; blocks: number; timestamp: number; interval: number }
  | { op: 'automine'; on: boolean }
  /** `seconds` between blocks that are mined by time, 0 for none; both disable automine. */
  | { op: 'interval'; seconds: number }
  /** `pool`: transactions were waiting, which a revert does not restore. */
  | { op: 'snapshot'; id: string; pool?: true }
  | { op: 'keep'; snapshot: NamedSnapshot; pool?: true }
  /**
   * `inline`: later blocks depend on the reverted entries, so these have to be executed as well. Older versions wrote such entries; now
   * reverts are exact.
   */
  | { op: 'revert'; id: string; inline?: true }
  /** The snapshot was deleted. */
  | { op: 'forget'; id: string };

/**
 * One change of a fork. Each entry contains every input that does not follow from the state before it (above all, times), so that the same
 * entries on a new engine produce the same blocks, down to their hashes.
 */
export type JournalEntry = Step & { executed?: Executions };

/** A payload that remains in the journal, and is read when it is needed. */
export interface StoredPayload {
  /** Size of its line in the journal. */
  readonly bytes: number;
  /** Reads the whole entry, while the journal is open. @throws ApiError engineUnavailable for a damaged journal */
  load(): Promise<JournalEntry>;
}

/** An entry without its payload. */
export interface StoredEntry {
  op: 'call' | 'send';
  timestamp?: number | undefined;
  executed?: Executions;
  stored: StoredPayload;
}

/** An entry as it is kept in memory. */
export type HistoryEntry = JournalEntry | StoredEntry;

export const wholeEntry = async (entry: HistoryEntry): Promise<JournalEntry> =>
  'stored' in entry ? entry.stored.load() : entry;

/** A journal as it is on disk. */
export interface JournalContents {
  /** First id for `evm_snapshot`: earlier ids belong to entries that were removed. */
  nextSnapshot: number;
  /** `sequence` of the last executions in removed entries. */
  executed: number;
  entries: readonly HistoryEntry[];
}

/** The journal of a new fork. */
export const EMPTY_JOURNAL: JournalContents = { nextSnapshot: 0, executed: 0, entries: [] };
