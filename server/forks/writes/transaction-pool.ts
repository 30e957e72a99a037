import { requestEach, RpcError, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcTransaction } from '../../ethereum/types';
import type { NextBlock } from './next-block';

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
    if (calls.length === 1 || !(error instanceof RpcError)) throw error;
    const place = `transaction ${hashes.length} of the bundle`;
    throw new RpcError(error.code, `${place}: ${error.message}`, error.data);
  }
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

/**
 * The engine takes a transaction that cannot be paid for, or fits into no block, and then leaves it out without a word.
 * @param next the block that is to hold it
 * @param from its sender, where that is known without asking
 * @returns whether a block would hold anything; what waits for an earlier nonce does not count
 * @throws RpcError; it is out of the pool then
 */
export async function requireExecutable(
  engine: RpcClient,
  hash: string,
  { next, from }: { next: NextBlock; from: unknown },
): Promise<boolean> {
  try {
    const [found, status, balance] = await requestEach(engine, [
      { method: 'eth_getTransactionByHash', params: [hash] },
      { method: 'txpool_status', params: [] },
      ...(typeof from === 'string' ? [balanceCall(from)] : []),
    ]);
    const transaction = found as RpcTransaction | null;
    if (transaction) {
      const [funds] =
        balance === undefined
          ? await requestEach(engine, [balanceCall(transaction.from)])
          : [balance];
      checkExecutable(transaction, BigInt(funds as string), next);
    }
    return BigInt((status as PoolStatus).pending) > 0n;
  } catch (error) {
    await dropFromPool(engine, [hash]);
    throw error;
  }
}

const balanceCall = (address: string): RpcCall => ({
  method: 'eth_getBalance',
  params: [address, 'latest'],
});

function checkExecutable(transaction: RpcTransaction, balance: bigint, next: NextBlock): void {
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
  if (balance >= cost) return;
  throw rejected(
    `insufficient funds for gas * price + value: ${from} has ${balance} wei and needs ${cost}; anvil_setBalance gives it more`,
  );
}
