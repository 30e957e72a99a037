import type { RpcCall } from '../ethereum/json-rpc';

/**
 * One step of a fork's life. Each holds every input that is not a function of the state before it (times above all),
 * so that the same steps on a new engine give the same blocks, down to their hashes.
 */
export type JournalEntry =
  /** A change of state or settings that the engine makes by itself. */
  | { op: 'call'; method: string; params: readonly unknown[] }
  /** Transactions into the pool, in order; with a timestamp they are mined as one block. */
  | { op: 'send'; calls: readonly RpcCall[]; timestamp?: number }
  /** `blocks` from the first at `timestamp` on, `interval` seconds apart. */
  | { op: 'mine'; blocks: number; timestamp: number; interval: number }
  | { op: 'automine'; on: boolean }
  | { op: 'snapshot'; id: string }
  | { op: 'revert'; id: string };
