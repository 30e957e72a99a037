import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcTransaction } from '../../evm/forms/types';
import { RPC_CODES } from '../../api/rpc-codes';

/** The error for a refused transaction. @param reason text for the sender */
export const rejected = (reason: string): RpcError =>
  new RpcError(RPC_CODES.transactionRejected, reason);

/**
 * Adds transactions to the engine's pool, in order: all of them, or none.
 * @returns their hashes
 */
export async function putIntoPool(engine: RpcClient, calls: readonly RpcCall[]): Promise<string[]> {
  const hashes: string[] = [];
  try {
    for (const { method, params } of calls) {
      hashes.push((await engine.request(method, params)) as string);
    }
    return hashes;
  } catch (error) {
    await dropFromPool(engine, hashes);
    throw inBundle(error, hashes.length, calls.length);
  }
}

/** Adds the index in the bundle to the error for a transaction. */
export function inBundle(error: unknown, index: number, count: number): unknown {
  if (count === 1 || !(error instanceof RpcError)) return error;
  const { code, message, data } = error;
  return new RpcError(code, `transaction ${index} of the bundle: ${message}`, data);
}

/** Removes transactions from the pool; those that are not in it are ignored. */
export async function dropFromPool(engine: RpcClient, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) await engine.request('anvil_dropTransaction', [hash]);
}

/** Whether a transaction waits in the pool for one with a lower nonce. */
export async function waitsForNonce(engine: RpcClient, hash: string): Promise<boolean> {
  const transaction = (await engine.request('eth_getTransactionByHash', [
    hash,
  ])) as RpcTransaction | null;
  if (!transaction) return false;
  const { from, nonce } = transaction;
  const next = await engine.request('eth_getTransactionCount', [from, 'latest']);
  return BigInt(nonce) > BigInt(next as string);
}

/** Result of `txpool_status`: quantities. */
export interface PoolStatus {
  pending: string;
  queued: string;
}

/** Includes transactions that wait for an earlier nonce. */
export const countWaiting = ({ pending, queued }: PoolStatus): number =>
  Number(pending) + Number(queued);

async function poolSize(engine: RpcClient): Promise<number> {
  return countWaiting((await engine.request('txpool_status', [])) as PoolStatus);
}

/**
 * Sends transactions. If they are refused, the pool must be as before. A pooled transaction may have been replaced by the refused one,
 * dropped because it depends on it, or mined in a block that was reverted; and the engine does not drop transactions that wait for a nonce.
 * @param before number of pooled transactions before
 * @param abandon ends the engine, because its pool differs from the journal
 */
export async function withUnchangedPool<T>(
  engine: RpcClient,
  before: number,
  send: () => Promise<T>,
  abandon: () => Promise<void>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    // An abandoned engine has no pool.
    const after = await poolSize(engine).catch(() => undefined);
    if (after !== before) await abandon();
    throw error;
  }
}
