import type { ForkChange } from '../api/changes';
import type { Chain } from '../api/config';
import type { StartEngine } from '../ethereum/engine';
import type { RpcCall, RpcClient } from '../ethereum/json-rpc';
import type { EnginePoolOptions } from './engine-pool';
import type { ForkRecord } from './fork-record';
import type { Executions, JournalContents, JournalEntry, KeptEntry } from './writes/journal';
import type { JournalLimits } from './writes/journal-quota';

/** Records by fork id, in the order of creation. Changes settle when they are durable. */
export interface ForkStore {
  list(): readonly ForkRecord[];
  put(forkId: string, record: ForkRecord): Promise<void>;
  /** Resolves `false` where there is no such fork. */
  setSecret(forkId: string, secret: string): Promise<boolean>;
  delete(forkId: string): Promise<void>;
}

/** What was done on one fork, in order. */
export interface Journal {
  /** Size on disk. */
  readonly bytes: number;
  /**
   * Settles when the entry is durable.
   * @returns what memory is to keep of it
   * @throws ApiError storageFull
   */
  append(entry: JournalEntry): Promise<KeptEntry>;
  /** Puts other contents in the place of what is there: all of it, or nothing. */
  rewrite(contents: JournalContents): Promise<void>;
  close(): Promise<void>;
}

/** A journal as it was when it was read. */
export interface JournalSnapshot {
  contents: JournalContents;
  /** Size on disk. */
  bytes: number;
  /** Its large entries cannot be read any more. */
  close: () => Promise<void>;
}

/** All throw ApiError engineUnavailable for a journal that is missing, damaged, or of a newer version. */
export interface JournalStore {
  /** Begins the journal of a new fork. A service that is killed before `confirm` removes it at its next start. */
  create(forkId: string): Promise<void>;
  /** The fork is in the store, and no client was told of it yet. From here on only `remove` deletes the journal. */
  confirm(forkId: string): Promise<void>;
  read(forkId: string): Promise<JournalSnapshot>;
  /** Opens a journal for what comes next. @returns with it, what it holds so far */
  open(forkId: string): Promise<{ journal: Journal; contents: JournalContents }>;
  /** @param forget removes the fork's record: until then, and where it rejects, the fork is whole; then nothing of the journal comes back */
  remove(forkId: string, forget: () => Promise<void>): Promise<void>;
  /** Ends what a killed service left half done. */
  tidy(isKnown: (forkId: string) => boolean): Promise<void>;
}

/** An address at which a chain ends at the fork point; open as long as an engine uses it. */
interface UpstreamLease {
  url: string;
  /** Whether an answer is under way. */
  isAsked: () => boolean;
  close(): void;
  /** Asks for accounts that the engine is going to read, all at once. */
  preload: (addresses: Iterable<string>) => void;
}

interface ForkChains {
  /** @throws ApiError chainNotFound */
  bySlug(slug: string): Chain;
  /** @throws ApiError invalidField */
  byChainId(chainId: number): Chain;
}

/** What the fork service needs of the rest of the house. */
export interface ForkPorts {
  store: ForkStore;
  journals: JournalStore;
  chains: ForkChains;
  /** The configured endpoints of a chain. */
  upstreamOf: (chain: Chain) => RpcClient;
  openUpstream: (point: {
    chainId: number;
    blockNumber: number;
    upstream: RpcClient;
  }) => Promise<UpstreamLease>;
  startEngine: StartEngine;
  /** Traces of a chain whose node gives none; see `RunningFork`. */
  traceOriginal: (
    chain: Chain,
    call: RpcCall,
    place: { block: number; index?: number },
  ) => Promise<unknown>;
  /**
   * Counts transactions that a user executed on a fork of the project; readers see it at once. Its promise settles when it is durable:
   * until then, the journal is what a restarted service counts them from.
   */
  countTransactions: (
    fork: { projectId: string; forkId: string },
    executions: Executions,
  ) => Promise<void>;
  /** Of one fork. */
  journalLimits: JournalLimits;
  /** How many engines there are, and when they end. */
  engines: EnginePoolOptions;
  /** Public address of the fork that the secret opens. */
  rpcUrl: (secret: string) => string;
  /** Told of what clients may want to show. */
  onChange: (change: ForkChange) => void;
  clock: () => Date;
  log: { warn(facts: object, message: string): void };
}
