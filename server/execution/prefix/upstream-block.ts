import {
  isMethodMissing,
  requestEach,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { withBlobPrice, type BlobRules } from '../../evm/rules/blob-price';
import { plainBlock } from '../../evm/forms/plain-answers';
import { toQuantity } from '../../evm/forms/quantity';
import type { Hex } from '../../api/primitives';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { settled } from '../../kernel/async/settled';

/** @param options.chainId of the chain: see `plainBlock` @returns the block with its transactions, or null if the chain has no block of this number */
export async function fetchBlock(
  rpc: RpcClient,
  number: number,
  { chainId, ...options }: RpcCallOptions & { chainId?: number | undefined } = {},
): Promise<RpcBlock | null> {
  const params = [toQuantity(number), true];
  const block = (await rpc.request('eth_getBlockByNumber', params, options)) as RpcBlock | null;
  return block && plainBlock(block, chainId);
}

/** A block whose receipts may still be under way. */
export interface BlockInParts {
  block: RpcBlock;
  /** Receipts of its first transactions, in order. */
  receipts: () => Promise<RpcReceipt[]>;
}

export interface ReceiptOptions extends RpcCallOptions {
  /** If set, receipts get the blob price that some nodes omit. */
  rules?: BlobRules;
}

/**
 * A block and the receipts of its first `count` transactions, which are requested at the same time.
 * @returns null if the chain has no block of this number
 */
export async function fetchBlockInParts(
  rpc: RpcClient,
  number: number,
  count: number,
  { rules, ...options }: ReceiptOptions,
): Promise<BlockInParts | null> {
  const whole = settled(receiptsOfBlock(rpc, toQuantity(number), count, options));
  const block = await fetchBlock(rpc, number, { ...options, chainId: rules?.chainId });
  if (!block) return null;
  return { block, receipts: settled(firstReceipts(rpc, block, count, { rules, options, whole })) };
}

/** Receipts of the first `count` transactions of a block, in order. */
export async function fetchReceipts(
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  { rules, ...options }: ReceiptOptions = {},
): Promise<RpcReceipt[]> {
  const whole = (): Promise<RpcReceipt[] | undefined> =>
    receiptsOfBlock(rpc, block.number, count, options);
  return firstReceipts(rpc, block, count, { rules, options, whole });
}

async function firstReceipts(
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  asked: {
    rules: BlobRules | undefined;
    options: RpcCallOptions;
    whole: () => Promise<RpcReceipt[] | undefined>;
  },
): Promise<RpcReceipt[]> {
  const { rules, options } = asked;
  const whole = await asked.whole();
  const receipts = whole?.slice(0, count) ?? (await singleReceipts(rpc, block, count, options));
  return receipts.map((receipt, index) => {
    const transaction = block.transactions[index];
    return rules && transaction ? withBlobPrice(receipt, transaction, block, rules) : receipt;
  });
}

/** @returns undefined if the node does not offer them together */
async function receiptsOfBlock(
  rpc: RpcClient,
  block: Hex,
  count: number,
  options: RpcCallOptions,
): Promise<RpcReceipt[] | undefined> {
  if (count === 0) return [];
  try {
    const all = await rpc.request('eth_getBlockReceipts', [block], options);
    return Array.isArray(all) ? (all as RpcReceipt[]) : undefined;
  } catch (error) {
    if (!isMethodMissing(error)) throw error;
    return undefined;
  }
}

async function singleReceipts(
  rpc: RpcClient,
  block: RpcBlock,
  count: number,
  options: RpcCallOptions,
): Promise<RpcReceipt[]> {
  const calls = block.transactions
    .slice(0, count)
    .map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
  return (await requestEach(rpc, calls, options)) as RpcReceipt[];
}
