import { RpcError, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import type { RpcTransaction } from '../ethereum/types';
import type { BlockSettings } from './snapshots';

/** EIP-1474: transaction rejected. */
const REJECTED = -32003;

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
    if (calls.length === 1 || !(error instanceof RpcError)) throw error;
    const place = `transaction ${hashes.length} of the bundle`;
    throw new RpcError(error.code, `${place}: ${error.message}`, error.data);
  }
}

export async function dropFromPool(engine: RpcClient, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) await engine.request('anvil_dropTransaction', [hash]);
}

/** Whether a block would hold anything; what waits for an earlier nonce does not count. */
export async function hasReady(engine: RpcClient): Promise<boolean> {
  const { pending } = (await engine.request('txpool_status', [])) as { pending: string };
  return BigInt(pending) > 0n;
}

/** Whether transactions wait, as a journal entry says it. */
export async function poolMark(engine: RpcClient): Promise<{ pool?: true }> {
  const { pending, queued } = (await engine.request('txpool_status', [])) as Record<string, string>;
  return BigInt(pending ?? 0) + BigInt(queued ?? 0) === 0n ? {} : { pool: true };
}

/**
 * The engine takes a transaction that cannot be paid for, or fits into no block, and then leaves it out without a word.
 * @param next the block that is to hold it
 * @throws RpcError
 */
export async function requireExecutable(
  engine: RpcClient,
  hash: string,
  next: BlockSettings,
): Promise<void> {
  const transaction = (await engine.request('eth_getTransactionByHash', [
    hash,
  ])) as RpcTransaction | null;
  if (!transaction) return;
  const { from, value, gas, maxFeePerGas, gasPrice = '0x0' } = transaction;
  if (BigInt(gas) > BigInt(next.gasLimit)) {
    throw rejected(`gas is ${BigInt(gas)}, above the block gas limit of ${BigInt(next.gasLimit)}`);
  }
  const price = BigInt(maxFeePerGas ?? gasPrice);
  const baseFee = BigInt(next.baseFeePerGas ?? '0x0');
  if (price < baseFee) {
    throw rejected(`max fee per gas is ${price}, below the block's base fee of ${baseFee}`);
  }
  const cost = BigInt(value) + BigInt(gas) * price;
  const balance = BigInt((await engine.request('eth_getBalance', [from, 'latest'])) as string);
  if (balance >= cost) return;
  throw rejected(
    `insufficient funds for gas * price + value: ${from} has ${balance} wei and needs ${cost}; anvil_setBalance gives it more`,
  );
}
