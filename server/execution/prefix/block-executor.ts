import type { Hardfork } from '../../api/config';
import type { Address } from '../../api/primitives';
import type { EngineState } from '../../ethereum/engine-state';
import type { RpcClient } from '../../ethereum/json-rpc';
import type { DiffAccount, StateDiff } from '../../ethereum/prestate-diff';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../ethereum/types';

/** A block of a chain, and the hardfork that holds in it. */
export interface PlacedBlock {
  /** The chain's node. It has the state of the parent. */
  readonly rpc: RpcClient;
  readonly chainId: number;
  readonly hardfork: Hardfork;
  readonly header: RpcBlockHeader;
}

/** One executed transaction. */
export interface ExecutedTransaction {
  /** Status, gas and logs. */
  readonly receipt: RpcReceipt;
  /** Result of `prestateTracer` with `diffMode`, fees included. */
  readonly changes: StateDiff;
  /** Result of `prestateTracer`. */
  readonly touched: Record<Address, DiffAccount>;
  /** Results of `callTracer` with logs, and of `DETAIL_TRACER`; undefined if its calls were not recorded. */
  readonly calls?: { readonly answer: object; readonly details: object } | undefined;
}

/** A block under execution, from the state of its parent on. */
export interface OpenBlock {
  /** Reads what the transactions will probably need from the chain, at the same time. Changes nothing. */
  warm(transactions: readonly RpcTransaction[]): Promise<void>;
  /**
   * Executes the next transaction.
   * @param isRecorded whether its calls are recorded
   * @throws Error if the executor cannot execute it; errors of the chain's node; the reason of the signal
   */
  execute(transaction: RpcTransaction, isRecorded: boolean): Promise<ExecutedTransaction>;
  /** Everything that was read or written so far, as it is now. */
  loaded(): EngineState;
  /** The part of it that differs from the parent's state. */
  changed(): EngineState;
}

/**
 * Executes blocks by their chain's own rules. The engine knows Ethereum's only: what it executes of another chain lacks the chain's fees and
 * transactions.
 */
export interface BlockExecutor {
  /** @returns undefined if the block has Ethereum's rules, which the engine executes, or rules that nothing here executes */
  begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> | undefined;
}
