import type { ForkChange } from '../../api/changes';
import type { Chain } from '../../api/config';
import type { Fork } from '../../api/fork';
import type { FailedReads, StartEngine } from '../../evm/forms/engine';
import type { RpcCall, RpcClient } from '../../evm/forms/json-rpc';
import type { BlockExecutor } from '../../execution/prefix/block-executor';
import type { EnginePool } from './engine-pool';
import type { ForkRecord } from './fork-record';
import type { ChainClient } from './pinned-chain';
import type { RuleSource } from '../../evm/rules/rule-source';
import type { FilterRecords } from '../reads/fork-filters';
import type { Executions, JournalContents, JournalEntry, HistoryEntry } from '../writes/journal';
import type { JournalLimits } from '../writes/journal-quota';

/** Records by fork id, in order of creation. Promises of changes settle when the change is durable. */
export interface ForkStore {
  /** @param projectId only the forks of this project */
  list(projectId?: string): Promise<readonly ForkRecord[]>;
  put(forkId: string, record: ForkRecord): Promise<void>;
  /** Resolves `false` if the fork does not exist. */
  setSecret(forkId: string, secret: string): Promise<boolean>;
  delete(forkId: string): Promise<void>;
}

/** A fork's record, and the node that runs the fork. */
export interface LocatedFork {
  record: ForkRecord;
  /** Epoch of the newest lease; 0: the fork never had one. */
  epoch: number;
  /** Id of the node that has the lease. */
  owner?: string;
  /** Seconds until the lease expires, if there is an owner. */
  freeIn?: number;
  /** Id of the node that had the newest lease. */
  lastOwner?: string;
}

/** What a node knows about the forks that it shares with other nodes. */
export interface SharedForks {
  /** Id of this node. */
  readonly nodeId: string;
  /** Whether this node may change the fork now. */
  holds(forkId: string): boolean;
  /** Whether forks may start here: not while this node gives its forks away and another node can take them. */
  mayStart(): boolean;
  /** Epoch of the newest lease of the fork that this node had. */
  lastEpoch(forkId: string): number | undefined;
  /** Forks that another node ran last, and that this one has not woken since; `ForkSharing` adds to it. */
  readonly takenOver: Set<string>;
  /** Reads the store. */
  find(key: { forkId: string } | { secret: string }): Promise<LocatedFork | undefined>;
  /** Reads the store. In order of creation. */
  list(projectId: string): Promise<readonly LocatedFork[]>;
  /** Filters of a fork, which the next node that runs it continues. */
  filtersOf(forkId: string): FilterRecords;
  /** A client of a fork that another node runs. */
  clientOf(record: Pick<ForkRecord, 'secret'>): RpcClient;
  /** The forks of these whose newest lease was another node's, with its epoch. */
  movedAway(forkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Forks of the project as the nodes that run them see them. A node that does not answer is left out. */
  viewsOf(projectId: string, nodeIds: ReadonlySet<string>): Promise<readonly Fork[]>;
  /** Deletes a fork that another node runs. @throws ApiError forkElsewhere if that node does not answer */
  deleteAt(nodeId: string, forkId: string): Promise<void>;
}

/** The changes made on one fork, in order. */
export interface Journal {
  /** Size on disk. */
  readonly bytes: number;
  /** Aborted when another node may append to the journal. Undefined if there is no other. */
  readonly lost?: AbortSignal;
  /**
   * Settles when the entry is durable.
   * @returns the part of the entry that stays in memory
   * @throws ApiError storageFull, databaseUnavailable
   */
  append(entry: JournalEntry): Promise<HistoryEntry>;
  /** Replaces the whole contents atomically. */
  rewrite(contents: JournalContents): Promise<void>;
  close(): Promise<void>;
}

/** A journal at the time it was read. */
export interface JournalSnapshot {
  contents: JournalContents;
  /** Size on disk. */
  bytes: number;
  /** Releases the file: large entries can no longer be read. */
  close: () => Promise<void>;
}

/** All methods throw ApiError engineUnavailable for a journal that is missing, damaged, or of a newer version. */
export interface JournalStore {
  /** Creates the journal of a new fork. If the service is killed before `confirm`, the next start removes it. */
  create(forkId: string): Promise<void>;
  /** Called when the fork is in the store and not yet visible to clients. From then on only `remove` deletes the journal. */
  confirm(forkId: string): Promise<void>;
  read(forkId: string): Promise<JournalSnapshot>;
  /** Opens a journal for appending. @throws ApiError forkElsewhere @returns the journal and its contents so far */
  open(forkId: string): Promise<{ journal: Journal; contents: JournalContents }>;
  /** @param forget removes the fork's record. If it rejects, the fork is still whole; after it resolves, the journal is never restored */
  remove(forkId: string, forget: () => Promise<void>): Promise<void>;
  /** Completes operations that a killed service left unfinished. */
  tidy(isKnown: (forkId: string) => boolean): Promise<void>;
}

/** An address at which a chain ends at the fork point, open as long as an engine uses it. */
interface UpstreamLease {
  url: string;
  /** Whether a request is being answered. */
  isAsked: () => boolean;
  failedReads: FailedReads;
  close(): void;
  /** Requests accounts that the engine will read, all at once. */
  preload: (addresses: Iterable<string>) => void;
  /** Requests the block of the fork point, which the engine reads first, and with `forRevert` again when it reverts to it. */
  preloadBlock: (options: { forRevert: boolean }) => void;
}

interface ForkChains {
  /** @throws ApiError chainNotFound */
  bySlug(slug: string): Chain;
  /** @throws ApiError invalidField */
  byChainId(chainId: number): Chain;
}

/** What projects and their owners may use. */
export interface ForkQuotas {
  /** Admits a new fork. @returns what to call when its creation has ended @throws ApiError forkQuota, diskQuota */
  creation(projectId: string, forkId: string): Promise<() => Promise<void>>;
  /** Admits the engine of a fork. @returns what to call when it has ended @throws ApiError engineQuota */
  wake(projectId: string, forkId: string): Promise<() => Promise<void>>;
  /** @param grown bytes that a fork has taken since it was asked for last @throws ApiError diskQuota */
  requireDisk(projectId: string, grown: number): Promise<void>;
}

/** Dependencies of the fork service on other modules. */
export interface ForkPorts {
  store: ForkStore;
  journals: JournalStore;
  /** Undefined: no other node uses the store. */
  shared?: SharedForks | undefined;
  chains: ForkChains;
  /** The configured endpoints of a chain. */
  upstreamOf: (chain: Chain) => ChainClient;
  rules: Pick<RuleSource, 'of' | 'prepare'>;
  openUpstream: (point: {
    chainId: number;
    blockNumber: number;
    upstream: RpcClient;
  }) => Promise<UpstreamLease>;
  startEngine: StartEngine;
  /** Executes blocks whose rules the engine does not execute. */
  executor?: BlockExecutor;
  /** Traces for a chain whose node offers none; see `RunningFork`. */
  traceOriginal: (
    chain: Chain,
    call: RpcCall,
    position: { block: number; index?: number },
  ) => Promise<unknown>;
  /**
   * Counts transactions that a user executed on a fork of the project. Readers see the new count at once. The promise settles when it is
   * durable; before that, a restarted service counts them again from the journal.
   */
  countTransactions: (
    fork: { projectId: string; forkId: string },
    executions: Executions,
  ) => Promise<void>;
  /** Quotas of projects and their owners. Undefined: none. */
  quotas?: ForkQuotas | undefined;
  /** Limits for each fork. */
  journalLimits: JournalLimits;
  /** Decides which forks have an engine. */
  pool: EnginePool;
  /** Public address of the fork with this secret. */
  rpcUrl: (secret: string) => string;
  /** Called with changes that clients may want to show. */
  onChange: (change: ForkChange) => void;
  /** Called when a fork has woken. @param ms milliseconds since the request that woke it */
  onWake?: (forkId: string, ms: number) => void;
  clock: () => Date;
  log: { warn(facts: object, message: string): void };
}
