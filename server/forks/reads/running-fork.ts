import type { Hardfork } from '../../api/config';
import type { RpcCall, RpcClient } from '../../ethereum/json-rpc';
import type { MnemonicKeys } from '../../ethereum/mnemonic-accounts';
import type { ForkFeed } from '../writes/fork-feed';
import type { ForkNode } from '../writes/fork-node';
import type { ForkFilters } from './fork-filters';
import type { ReplayedBlock } from './replayed-block';

/** A running fork as its reads and methods see it. */
export interface RunningFork {
  node: ForkNode;
  feed: ForkFeed;
  filters: ForkFilters;
  engine: RpcClient;
  upstream: RpcClient;
  /** What `eth_chainId` answers. */
  chainId: number;
  antiReplay: boolean;
  /** Of the fork's own accounts. */
  keys: MnemonicKeys;
  /** The block that the engine forked from: up to it all is the forked chain's. */
  forkBlock: number;
  /** Newest block that is the forked chain's own, or a replay of it. */
  originalHead: number;
  hardfork: Hardfork;
  /** Of a fork inside a block: that block, as far as the fork has it. */
  replayed?: ReplayedBlock;
  /**
   * What a trace method answers of the forked chain, by executing the block again here.
   * @param place its block, and the index of the transaction; none: all of them
   * @throws ApiError, RpcError
   */
  traceOriginal(call: RpcCall, place: { block: number; index?: number }): Promise<unknown>;
}

/** Reads the answer of a JSON-RPC method, with its parameters. @throws RpcError, ApiError */
export type ForkRead = (fork: RunningFork, params: readonly unknown[]) => Promise<unknown>;
