import type { Address, Hex } from '../../api/primitives';
import type { StateOverrides } from '../../api/simulate';
import type { EngineState } from '../../evm/forms/engine-state';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { DiffAccount, StateDiff } from '../../evm/forms/prestate-diff';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { BlobRules } from '../../evm/rules/blob-price';

/** A block of a chain, and the rules that hold in it. */
export interface PlacedBlock extends BlobRules {
  /** The chain's node. It has the state from which the block is executed. */
  readonly rpc: RpcClient;
  /** Whether that is the state after the block instead of its parent's, for what is simulated after all of its transactions. */
  readonly isOver?: boolean;
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
  /** Results of `callTracer` with logs, and of `DETAIL_TRACER`. */
  readonly calls: { readonly answer: object; readonly details: object };
  /** Gas of the top call with all nested calls, before refunds, and the refund counter at its end; undefined if unknown. */
  readonly spentGas?: { readonly spent: number; readonly counter: number } | undefined;
}

/** An executed simulation. */
export interface Simulated extends ExecutedTransaction {
  readonly nonce: Hex;
  /** Whether the instruction BLOBBASEFEE was executed. */
  readonly readsBlobBaseFee: boolean;
}

/** No block could contain the transaction. */
export class RejectedTransaction extends Error {
  override readonly name = 'RejectedTransaction';
}

export interface SimulatedTransaction {
  /** Neither its hash nor, by default, its nonce is read. Without a price it pays no fee. */
  readonly transaction: RpcTransaction;
  /** Whether it is executed with its own nonce, not with the sender's next one. */
  readonly keepsNonce?: boolean;
  /** The block as the transaction sees it. */
  readonly header: RpcBlockHeader;
  readonly overrides: StateOverrides;
  /** Result of BLOBBASEFEE, in wei, if it is not the price of the header. */
  readonly blobBaseFee?: Hex;
  /**
   * Executes the call alone, as an engine does: it pays no fee, any account may send it, and one that has less than it sends gets the rest.
   * Its access list and its authorizations are ignored.
   */
  readonly isBare?: boolean;
}

/** A block under execution, from the state of its parent on. To be closed. */
export interface OpenBlock {
  /** Reads what the transactions will probably need from the chain, at the same time. Changes nothing. */
  warm(transactions: readonly RpcTransaction[]): Promise<void>;
  /**
   * Executes the next transaction.
   * @throws Error if the executor cannot execute it, or its memory or time is over; errors of the chain's node; the reason of the signal
   */
  execute(transaction: RpcTransaction): Promise<RpcReceipt>;
  /** The same, with its calls and what it changed. @throws also RejectedTransaction, after which the next one can be executed */
  record(transaction: RpcTransaction): Promise<ExecutedTransaction>;
  /**
   * Executes a transaction with the sender's next nonce. Its calls are recorded.
   * @returns the nonce as well
   * @throws RejectedTransaction if no block could contain it; errors as `execute`
   */
  simulate(simulated: SimulatedTransaction): Promise<Simulated>;
  /** Makes the changes at the end of the block: its withdrawals (EIP-4895). */
  end(block: Pick<RpcBlock, 'withdrawals'>): Promise<void>;
  /** Everything that was read or written so far, as it is now. */
  loaded(): Promise<EngineState>;
  /**
   * Compares every balance, nonce, code and slot that the executed transactions changed with the chain's state after the block.
   * @returns the first difference in words; undefined if there is none
   */
  difference(): Promise<string | undefined>;
  /** Cancels what is under way. */
  close(): void;
}

/**
 * Executes blocks whose rules the engine does not execute: those of the OP Stack, whose fees and transactions it lacks, and those of
 * hardforks after its newest.
 */
export interface BlockExecutor {
  /** @returns undefined if the block has rules that the engine executes, or rules that nothing here executes */
  begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> | undefined;
  /** Begins a block of any rules. */
  open(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock>;
}
