import type { RpcCall } from '../../evm/forms/json-rpc';
import type { RpcTransaction } from '../../evm/forms/types';
import type { PlacedBlock, SimulatedTransaction } from '../prefix/block-executor';
import type { RpcBlock } from '../../evm/forms/types';

/** A block without what cannot be sent to a worker thread. */
export type SentBlock = Omit<PlacedBlock, 'rpc'>;

/** What a worker thread is asked to do with its block, in the words of `OpenBlock`. */
export type Task =
  | { readonly kind: 'begin'; readonly block: SentBlock }
  | { readonly kind: 'warm'; readonly transactions: readonly RpcTransaction[] }
  | { readonly kind: 'execute' | 'record'; readonly transaction: RpcTransaction }
  | { readonly kind: 'simulate'; readonly simulated: SimulatedTransaction }
  | { readonly kind: 'end'; readonly block: Pick<RpcBlock, 'withdrawals'> }
  | { readonly kind: 'loaded' | 'difference' };

/** The result of one call to the chain's node. A failure is the number of its error, which stays on the side of the service. */
export type ReadResult = { readonly value: unknown } | { readonly failure: number };

/** Calls to the chain's node that are answered together. */
export interface Read {
  readonly id: number;
  readonly calls: readonly RpcCall[];
}

export type ToWorker =
  | { readonly type: 'task'; readonly id: number; readonly task: Task }
  | { readonly type: 'answer'; readonly id: number; readonly results: readonly ReadResult[] };

/** An error, which loses its class on the way. */
export type SentError =
  /** Of a call to the chain's node. */
  | { readonly kind: 'read'; readonly failure: number }
  | { readonly kind: 'api'; readonly code: number; readonly message: string }
  | { readonly kind: 'rejected' | 'other'; readonly message: string };

export type FromWorker =
  | { readonly type: 'reads'; readonly reads: readonly Read[] }
  /** The result as JSON. Bytes are UTF-8, and not copied: the worker thread gives them away. */
  | { readonly type: 'done'; readonly id: number; readonly json: string | Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly id: number; readonly error: SentError };
