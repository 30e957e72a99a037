import { RpcError, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcTransaction } from '../../ethereum/types';

/** EIP-1474: transaction rejected. */
const REJECTED = -32003;

/** The refusal of a transaction. @param reason for the sender to read */
export const rejected = (reason: string): RpcError => new RpcError(REJECTED, reason);

/**
 * Puts transactions into the engine's pool, in order: all of them, or none.
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

/** The refusal of a transaction, which says which of several it is. */
export function inBundle(error: unknown, place: number, count: number): unknown {
  if (count === 1 || !(error instanceof RpcError)) return error;
  const { code, message, data } = error;
  return new RpcError(code, `transaction ${place} of the bundle: ${message}`, data);
}

/** Takes transactions back out of the pool; those that are not in it do no harm. */
export async function dropFromPool(engine: RpcClient, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) await engine.request('anvil_dropTransaction', [hash]);
}

/** Whether a transaction is in the pool, behind one with a lower nonce that is not mined yet. */
export async function waitsForNonce(engine: RpcClient, hash: string): Promise<boolean> {
  const transaction = (await engine.request('eth_getTransactionByHash', [
    hash,
  ])) as RpcTransaction | null;
  if (!transaction) return false;
  const { from, nonce } = transaction;
  const next = await engine.request('eth_getTransactionCount', [from, 'latest']);
  return BigInt(nonce) > BigInt(next as string);
}

/** Answer to `txpool_status`: quantities. */
export interface PoolStatus {
  pending: string;
  queued: string;
}

/** Those for an earlier nonce included. */
export const countWaiting = ({ pending, queued }: PoolStatus): number =>
  Number(pending) + Number(queued);

async function poolSize(engine: RpcClient): Promise<number> {
  return countWaiting((await engine.request('txpool_status', [])) as PoolStatus);
}

/**
 * Sends; where that is refused, what waited before must still wait. It may have gone along: replaced by what is refused, dropped
 * because it comes after it, or mined in a block that was taken back; and the engine drops nothing that waits for a nonce.
 * @param before how many waited
 * @param abandon ends the engine, as its pool is not what the journal says any more
 */
export async function sparingPool<T>(
  engine: RpcClient,
  before: number,
  send: () => Promise<T>,
  abandon: () => Promise<void>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    // An engine that was abandoned meanwhile has no pool.
    const after = await poolSize(engine).catch(() => undefined);
    if (after !== before) await abandon();
    throw error;
  }
}
