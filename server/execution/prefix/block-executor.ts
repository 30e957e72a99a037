import type { Address } from '../../api/primitives';
import type { EngineState } from '../../ethereum/engine-state';
import type { RpcClient } from '../../ethereum/json-rpc';
import type { DiffAccount, StateDiff } from '../../ethereum/prestate-diff';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../ethereum/types';
import type { BlobRules } from '../../rules/blob-price';

/** A block of a chain, and the rules that hold in it. */
export interface PlacedBlock extends BlobRules {
  /** The chain's node. It has the state of the parent. */
  readonly rpc: RpcClient;
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
  /** Gas of the top call with all nested calls, before refunds, and the refund counter at its end; undefined if unknown. */
  readonly spentGas?: { readonly spent: number; readonly counter: number } | undefined;
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
  /** Makes the changes at the end of the block: its withdrawals (EIP-4895). */
  end(block: Pick<RpcBlock, 'withdrawals'>): Promise<void>;
  /** Everything that was read or written so far, as it is now. */
  loaded(): EngineState;
  /** The part of it that differs from the parent's state. */
  changed(): EngineState;
}

/**
 * Executes blocks whose rules the engine does not execute: those of the OP Stack, whose fees and transactions it lacks, and those of
 * hardforks after its newest.
 */
export interface BlockExecutor {
  /** @returns undefined if the block has rules that the engine executes, or rules that nothing here executes */
  begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> | undefined;
}
