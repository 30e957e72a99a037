import { randomBytes } from 'node:crypto';
import type { Hardfork } from '../../api/config';
import type { Fork, ForkReplay } from '../../api/fork';
import { toQuantity } from '../../evm/forms/quantity';
import type { ReplayComparison } from '../../execution/prefix/compare-receipts';
import type { BlobRules } from '../../evm/rules/blob-price';
import type { BaseFeeRule } from '../../evm/families/op-stack/next-base-fee';
import type { OpUpgrade } from '../../evm/families/op-stack/upgrades';
import { maxTransactionGas } from '../../evm/rules/transaction-gas';

/** The accounts of a fork. The mnemonic is a secret; addresses are in lower case, in order. */
export type RecordedAccounts = 'test' | 'none' | { mnemonic: string; addresses: string[] };

/** Everything about a fork except its journal: enough to build it again on any machine. Plain JSON. */
export interface ForkRecord {
  /** `fork_` and 32 hex digits */
  forkId: string;
  projectId: string;
  name: string;
  /** Slug of the forked chain, and its id. */
  chain: string;
  chainId: number;
  /** Requested block N, and the position inside it; null: after the whole block. */
  height: number;
  position: number | null;
  /** The engine forks after this block; the first `prefix` transactions of the next one are then applied. */
  base: number;
  prefix: number;
  /** Hash of block `base`, and of block N if a part of it is applied. Missing in older forks. */
  hashes?: { base: string; height?: string | undefined } | undefined;
  /** Rules of block N, stored so that a change of the hardfork tables does not change the fork. */
  hardfork: Hardfork;
  antiReplay: boolean;
  /** Accounts whose keys the fork holds. Missing in older forks, which hold none. */
  accounts?: RecordedAccounts | undefined;
  /** 32 hex digits. Anyone who knows them can use the fork. */
  secret: string;
  /** UUID of the default snapshot. */
  snapshotId: string;
  /** RFC 3339, UTC */
  createTime: string;
  /** Reasons why the fork differs from its chain; present if there are any. */
  warnings?: string[] | undefined;
  /** Result of the replay of the prefix; present after the replay. */
  replay?: ForkReplay | undefined;
  /**
   * Whether blocks of a fork without a prefix have the fee recipient of its fork block. Missing in older forks: their blocks, whose hashes
   * depend on it, have the zero address.
   */
  keepsFeeRecipient?: boolean | undefined;
  /** How the base fee of the fork's blocks follows; missing in older forks, and on chains with Ethereum's rule. */
  baseFee?: BaseFeeRule | undefined;
  /**
   * The OP Stack upgrade that sets the fees of transactions on the fork. Missing on other chains, and in older forks, which take Ethereum's
   * fees only.
   */
  opStack?: OpUpgrade | undefined;
  /**
   * Whether blocks have the blob gas of the chain's rules. Missing in older forks, whose blocks have the engine's: their hashes depend on it.
   */
  keepsBlobGas?: boolean | undefined;
  /** The update fraction of the blob base fee by the schedule of the chain's node, decimal; missing where that does not decide. */
  blobFraction?: string | undefined;
  /** `sequence` of the last executions that the project's statistics include. */
  counted?: number | undefined;
}

/** Secret of a fork's address: 32 hex digits from the system's CSPRNG. */
export const newSecret = (): string => randomBytes(16).toString('hex');

/** The chain id under which transactions on the fork are signed: `999<chainId>` with anti-replay. */
export const rpcChainIdOf = ({
  chainId,
  antiReplay,
}: Pick<ForkRecord, 'chainId' | 'antiReplay'>): number =>
  antiReplay ? Number(`999${chainId}`) : chainId;

/** Rules of the transactions of a fork. */
export const rulesOf = (
  record: Pick<ForkRecord, 'chainId' | 'hardfork' | 'blobFraction'>,
): { hardfork: Hardfork; blobRules: BlobRules; maxGas: number | undefined } => ({
  hardfork: record.hardfork,
  blobRules: blobRulesOf(record),
  maxGas: maxTransactionGas(record),
});

/** Rules of fees that the engine does not have. */
export const feeRulesOf = ({
  baseFee,
  opStack,
}: Pick<ForkRecord, 'baseFee' | 'opStack'>): Pick<ForkRecord, 'baseFee' | 'opStack'> => ({
  baseFee,
  opStack,
});

/** Rules of the price of blobs on a fork. */
export const blobRulesOf = ({
  chainId,
  hardfork,
  blobFraction,
}: Pick<ForkRecord, 'chainId' | 'hardfork' | 'blobFraction'>): BlobRules => ({
  chainId,
  hardfork,
  ...(blobFraction === undefined ? {} : { blobFraction: BigInt(blobFraction) }),
});

/** How faithful a replay is. */
export const replayOf = ({ firstDifference, foreign, executor }: ReplayComparison): ForkReplay => ({
  faithful: firstDifference === undefined,
  executor: executor ?? 'anvil',
  ...(firstDifference === undefined ? {} : { firstDifference }),
  ...(foreign === undefined ? {} : { foreign }),
});

/**
 * Whether a replay in the process gave the state of the chain after the whole block, so that later ones of the same block need no comparison
 * with it.
 */
export const isStateProved = ({ replay, hashes }: Pick<ForkRecord, 'replay' | 'hashes'>): boolean =>
  replay?.faithful === true && replay.executor === 'process' && hashes?.height !== undefined;

/** Newest block of a fork that is the chain's own, or a replay of it. */
export const originalHeadOf = ({ base, prefix }: Pick<ForkRecord, 'base' | 'prefix'>): number =>
  base + (prefix > 0 ? 1 : 0);

/** The blocks of the chain on which the fork is based, newest first; empty for older forks. */
export const originalBlocksOf = ({
  base,
  height,
  hashes,
}: Pick<ForkRecord, 'base' | 'height' | 'hashes'>): { number: number; hash: string }[] =>
  hashes === undefined
    ? []
    : [
        ...(hashes.height === undefined ? [] : [{ number: height, hash: hashes.height }]),
        { number: base, hash: hashes.base },
      ];

/** The fork as clients see it. */
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
