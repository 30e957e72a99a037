import type { RpcCall } from '../../ethereum/json-rpc';

/** Transactions that one entry executed for a user. */
export interface Executions {
  /** Counts up within a fork, so that none is counted twice. */
  sequence: number;
  /** UTC, `YYYY-MM-DD` */
  day: string;
  count: number;
}

/** A snapshot that a user named; it stays until it is deleted. */
export interface NamedSnapshot {
  /** UUID */
  id: string;
  name: string;
  /** RFC 3339, UTC */
  createTime: string;
  /** Newest block in it. */
  blockNumber: number;
}

type Step =
  /** A change of state or settings that the engine makes by itself. */
  | { op: 'call'; method: string; params: readonly unknown[] }
  /** Transactions into the pool, in order; with a timestamp they were mined as one block. */
  | { op: 'send'; calls: readonly RpcCall[]; timestamp?: number }
  /** `blocks` from the first at `timestamp` on, `interval` seconds apart. */
  | { op: 'mine'; blocks: number; timestamp: number; interval: number }
  | { op: 'automine'; on: boolean }
  /** `seconds` between blocks that are mined by time, 0 for none; either switches automine off. */
  | { op: 'interval'; seconds: number }
  /** `pool`: transactions were waiting, which no revert brings back. */
  | { op: 'snapshot'; id: string; pool?: true }
  | { op: 'keep'; snapshot: NamedSnapshot; pool?: true }
  /**
   * `inline`: later blocks depend on what the revert took back, so that this has to be done again as well. Older versions wrote
   * such entries; this one makes reverts exact.
   */
  | { op: 'revert'; id: string; inline?: true }
  /** There is no such snapshot any more. */
  | { op: 'forget'; id: string };

/**
 * One step of a fork's life. Each holds every input that is not a function of the state before it (times above all),
 * so that the same steps on a new engine give the same blocks, down to their hashes.
 */
export type JournalEntry = Step & { executed?: Executions };

/** The payload of a step that stays in the journal, and is read again when it is needed. */
export interface StoredPayload {
  /** Of its line in the journal. */
  readonly bytes: number;
  /** The whole step. Possible as long as the journal is open. @throws ApiError engineUnavailable for a damaged one */
  load(): Promise<JournalEntry>;
}

/** A step without its payload. */
export interface StoredEntry {
  op: 'call' | 'send';
  timestamp?: number | undefined;
  executed?: Executions;
  stored: StoredPayload;
}

/** A step as it is kept in memory. */
export type KeptEntry = JournalEntry | StoredEntry;

export const wholeEntry = async (entry: KeptEntry): Promise<JournalEntry> =>
  'stored' in entry ? entry.stored.load() : entry;

/** A journal as it is on disk. */
export interface JournalContents {
  /** The ids of `evm_snapshot` start here: those before it were given in entries that were left out since. */
  nextSnapshot: number;
  /** `sequence` of the last executions in such entries. */
  executed: number;
  entries: readonly KeptEntry[];
}

/** Of a fork on which nothing was done. */
export const EMPTY_JOURNAL: JournalContents = { nextSnapshot: 0, executed: 0, entries: [] };
