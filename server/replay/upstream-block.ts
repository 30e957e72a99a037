import {
  isMethodMissing,
  requestEach,
  type RpcCallOptions,
  type RpcClient,
} from '../ethereum/json-rpc';
import { withBlobPrice, type BlobRules } from '../chains/blob-price';
import { plainBlock } from '../ethereum/plain-answers';
import { toQuantity } from '../ethereum/quantity';
import type { RpcBlock, RpcReceipt } from '../ethereum/types';

/** @returns the block with its transactions, or null where the chain has none of this number */
export async function fetchBlock(
  rpc: RpcClient,
  number: number,
  options?: RpcCallOptions,
): Promise<RpcBlock | null> {
  const params = [toQuantity(number), true];
  const block = (await rpc.request('eth_getBlockByNumber', params, options)) as RpcBlock | null;
  return block && plainBlock(block);
}

/** Receipts of the first `count` transactions of a block, in order; where `rules` are given, with the price of blobs that some nodes leave out. */
export async function fetchReceipts(
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  { rules, ...options }: RpcCallOptions & { rules?: BlobRules } = {},
): Promise<RpcReceipt[]> {
  const receipts = await receiptsOf(rpc, block, count, options);
  return receipts.map((receipt, index) => {
    const transaction = block.transactions[index];
    return rules && transaction ? withBlobPrice(receipt, transaction, block, rules) : receipt;
  });
}

async function receiptsOf(
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  options: RpcCallOptions,
): Promise<RpcReceipt[]> {
  if (count === 0) return [];
  try {
    const all = await rpc.request('eth_getBlockReceipts', [block.number], options);
    if (Array.isArray(all)) return (all as RpcReceipt[]).slice(0, count);
  } catch (error) {
    if (!isMethodMissing(error)) throw error;
  }
  const calls = block.transactions
    .slice(0, count)
    .map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  return (await requestEach(rpc, calls, options)) as RpcReceipt[];
}
