import type { RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';

/**
 * Executes the first transactions of a block on the second executor, on the state that a node has after the parent.
 * @param rpc that node
 * @returns the receipts, in order
 * @throws Error, ApiError if it cannot be executed, or a read fails
 */
export type ExecuteBlock = (
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  signal: AbortSignal,
) => Promise<RpcReceipt[]>;
