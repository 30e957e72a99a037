import type { Chain } from '../api/config';
import type { StartEngine } from '../ethereum/engine';
import type { RpcClient } from '../ethereum/json-rpc';
import type { ForkRecord } from './fork-record';
import type { JournalEntry } from './journal';

/** Records by fork id, in the order of creation. Changes settle when they are durable. */
export interface ForkStore {
  list(): readonly ForkRecord[];
  put(forkId: string, record: ForkRecord): Promise<void>;
  delete(forkId: string): Promise<void>;
}

/** What was done on one fork, in order. */
export interface Journal {
  /** Settles when the entry is durable. */
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

export interface JournalStore {
  /** Opens the journal of a fork for what comes next. @returns with it, what it holds so far */
  open(forkId: string): Promise<{ journal: Journal; entries: readonly JournalEntry[] }>;
  remove(forkId: string): Promise<void>;
}

/** An address at which a chain ends at the fork point; open as long as an engine uses it. */
interface UpstreamLease {
  url: string;
  close(): void;
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
  /** Counts transactions that a user executed on a fork of the project. */
  countTransactions: (projectId: string, count: number) => Promise<void>;
  /** Public address of the fork that the secret opens. */
  rpcUrl: (secret: string) => string;
  clock: () => Date;
  log: { warn(facts: object, message: string): void };
}
