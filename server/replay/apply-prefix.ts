import { ApiError } from '../api/errors';
import { RpcError, type RpcClient } from '../ethereum/json-rpc';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../ethereum/types';
import { enterBlock } from './block-context';
import { compareReceipts, type ReplayComparison } from './compare-receipts';
import { rawTransaction } from './raw-transaction';

export interface ApplyOptions {
  /** The original receipts of the transactions, in order; the comparison is made with these. */
  receipts: readonly RpcReceipt[];
  signal?: AbortSignal | undefined;
  /** Told after each transaction that is in the pool. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Applies the first `count` transactions of a block, in the block's own context, and mines them as a block of the same number.
 * @param engine stands at the parent of `block`, mines on demand, first in first out, and runs under the chain's own id
 * @throws ApiError upstreamLacksData where a transaction cannot be rebuilt; engineUnavailable where the engine refuses one
 */
export async function applyTransactions(
  engine: RpcClient,
  block: RpcBlock,
  count: number,
  { receipts, signal, onProgress }: ApplyOptions,
): Promise<ReplayComparison> {
  const transactions = block.transactions.slice(0, count);
  const raw = transactions.map(rawTransaction);
  await enterBlock(engine, block, signal);
  await warm(engine, transactions, signal);
  for (const [index, transaction] of transactions.entries()) {
    await send(engine, transaction, raw[index], signal);
    onProgress?.(index + 1, count);
  }
  await engine.request('evm_mine', [], { signal });
  await endImpersonation(engine, transactions, signal);
  const mined = (await engine.request('eth_getBlockReceipts', [block.number], {
    signal,
  })) as RpcReceipt[] | null;
  return compareReceipts(mined ?? [], receipts);
}

/**
 * Loads the state that the transactions will touch. Mining reads it one slot after the other; calls side by side
 * share the waiting. What they answer does not matter.
 */
async function warm(
  engine: RpcClient,
  transactions: readonly RpcTransaction[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await engine.requestAll(
    transactions.map(({ from, to, value, input, gas }) => ({
      method: 'eth_call',
      params: [{ from, ...(to === null ? {} : { to }), value, data: input, gas }, 'latest'],
    })),
    { signal },
  );
}

/** One at a time: the order of arrival is the order in the block. */
async function send(
  engine: RpcClient,
  transaction: RpcTransaction,
  raw: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    if (isBlob(transaction)) {
      await engine.request('anvil_impersonateAccount', [transaction.from], { signal });
    }
    await engine.request('eth_sendRawTransaction', [raw], { signal });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new ApiError(
      'engineUnavailable',
      `the engine refuses transaction ${transaction.hash} of the replayed block: ${error.message}`,
      { cause: error },
    );
  }
}

/** A blob transaction without its sidecar is accepted, and mined, only while its sender is impersonated. */
const isBlob = ({ type }: RpcTransaction): boolean => type === '0x3';

async function endImpersonation(
  engine: RpcClient,
  transactions: readonly RpcTransaction[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await engine.requestAll(
    transactions.filter(isBlob).map(({ from }) => ({
      method: 'anvil_stopImpersonatingAccount',
      params: [from],
    })),
    { signal },
  );
}
