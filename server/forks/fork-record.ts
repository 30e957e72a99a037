import { randomBytes } from 'node:crypto';
import type { Hardfork } from '../api/config';
import type { Fork, ForkReplay } from '../api/fork';
import { toQuantity } from '../ethereum/quantity';

/** The accounts of a fork: the mnemonic is a secret; addresses in lower case, in order. */
export type KeptAccounts = 'test' | 'none' | { mnemonic: string; addresses: string[] };

/** All that a fork is, but for its journal: enough to build it again on any machine. Plain JSON. */
export interface ForkRecord {
  /** `fork_` and 32 hex digits */
  forkId: string;
  projectId: string;
  name: string;
  /** Slug of the forked chain, and its id. */
  chain: string;
  chainId: number;
  /** Block N that was asked for, and the position inside of it; null: after the whole block. */
  height: number;
  position: number | null;
  /** The engine forks after this block; the first `prefix` transactions of the next one are then applied. */
  base: number;
  prefix: number;
  /** The rules of block N, so that a change of the tables changes no fork. */
  hardfork: Hardfork;
  antiReplay: boolean;
  /** Whose keys it holds. Missing in older forks, which hold none. */
  accounts?: KeptAccounts | undefined;
  /** 32 hex digits: whoever knows them may use the fork. */
  secret: string;
  /** UUID of the default snapshot. */
  snapshotId: string;
  /** RFC 3339, UTC */
  createTime: string;
  /** Why it cannot be what the chain is, in words; there where it cannot. */
  warnings?: string[] | undefined;
  /** How the prefix was replayed; there once it was. */
  replay?: ForkReplay | undefined;
  /**
   * Blocks of a fork that replays nothing have the fee recipient of its fork block. Missing in older forks: their blocks, whose hashes depend on it,
   * have the zero address.
   */
  keepsFeeRecipient?: boolean | undefined;
  /** `sequence` of the last executions that the project's statistics have. */
  counted?: number | undefined;
}

/** Of a fork's address: 32 hex digits from the system's CSPRNG. */
export const newSecret = (): string => randomBytes(16).toString('hex');

/** The chain id under which transactions on the fork are signed: `999<chainId>` with anti-replay. */
export const rpcChainIdOf = ({
  chainId,
  antiReplay,
}: Pick<ForkRecord, 'chainId' | 'antiReplay'>): number =>
  antiReplay ? Number(`999${chainId}`) : chainId;

/** Newest block of a fork that is the forked chain's own, or a replay of it. */
export const originalHeadOf = ({ base, prefix }: Pick<ForkRecord, 'base' | 'prefix'>): number =>
  base + (prefix > 0 ? 1 : 0);

/** What clients are told of a fork. */
export const toFork = (
  record: ForkRecord,
  rpc: string,
  {
    state,
    failure,
    transactionCount,
    journal,
  }: Pick<Fork, 'state' | 'failure' | 'transactionCount' | 'journal'>,
): Fork => ({
  forkId: record.forkId,
  chainId: record.chainId,
  name: record.name,
  rpc,
  rpcChainId: rpcChainIdOf(record),
  chain: record.chain,
  height: toQuantity(record.height),
  position: record.position,
  antiReplay: record.antiReplay,
  accounts: typeof record.accounts === 'object' ? 'mnemonic' : (record.accounts ?? 'none'),
  snapshotId: record.snapshotId,
  createTime: record.createTime,
  state,
  ...(record.replay === undefined ? {} : { replay: record.replay }),
  ...(record.warnings === undefined ? {} : { warnings: record.warnings }),
  ...(failure === undefined ? {} : { failure }),
  ...(transactionCount === undefined ? {} : { transactionCount }),
  ...(journal === undefined ? {} : { journal }),
});
