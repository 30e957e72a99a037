import type { Hardfork } from '../../api/config';
import type { RpcCall, RpcClient } from '../../evm/forms/json-rpc';
import type { BlockExecutor } from '../../execution/prefix/block-executor';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import type { BlobRules } from '../../evm/rules/blob-price';
import type { MnemonicKeys } from '../../evm/forms/mnemonic-accounts';
import type { ForkFeed } from '../writes/fork-feed';
import type { ForkWriter } from '../writes/fork-writer';
import type { ForkFilters } from './fork-filters';
import type { ReplayedBlock } from './replayed-block';

/** A running fork as seen by its reads and methods. */
export interface RunningFork {
  writer: ForkWriter;
  feed: ForkFeed;
  filters: ForkFilters;
  engine: RpcClient;
  upstream: RpcClient;
  /** Result of `eth_chainId`. */
  chainId: number;
  antiReplay: boolean;
  /** Keys of the fork's own accounts. */
  keys: MnemonicKeys;
  /** The block that the engine forked from: blocks up to it are the chain's. */
  forkBlock: number;
  /** Newest block that is the chain's own, or a replay of it. */
  originalHead: number;
  hardfork: Hardfork;
  /** Most gas of a transaction; undefined: the block's limit alone. */
  maxGas: number | undefined;
  /** Chain and hardfork whose rules the price of blob gas follows. */
  blobRules: BlobRules;
  /** As in `EntryRunnerOptions`. */
  blobGas: EngineBlobGas | undefined;
  /** Executes calls that need a price of blob gas which the engine does not have. */
  executor?: BlockExecutor | undefined;
  /** The replayed part of the block, for a fork inside a block. */
  replayed?: ReplayedBlock;
  /**
   * Answers a trace method for the forked chain by executing the block again on an engine.
   * @param position its block, and the index of the transaction; without an index, all transactions
   * @throws ApiError, RpcError
   */
  traceOriginal(call: RpcCall, position: { block: number; index?: number }): Promise<unknown>;
}

/** Answers a JSON-RPC method. @throws RpcError, ApiError */
export type ForkRead = (fork: RunningFork, params: readonly unknown[]) => Promise<unknown>;
