import { inSlices } from '../../kernel/async/slices';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import type { OpenBlock } from './block-executor';
import { receiptDifferenceWork, type ReplayComparison } from './compare-receipts';

/**
 * Executes the first transactions of a block, one for each receipt.
 * @param receipts the original ones
 * @param onProgress called after each transaction
 */
export async function executeFirst(
  open: OpenBlock,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  onProgress?: (done: number, total: number) => void,
): Promise<ReplayComparison> {
  const transactions = block.transactions.slice(0, receipts.length);
  let firstDifference: string | undefined;
  await open.warm(block.transactions.slice(0, receipts.length + 1));
  for (const [index, transaction] of transactions.entries()) {
    const receipt = await open.execute(transaction);
    const original = receipts[index];
    if (original) firstDifference ??= await inSlices(receiptDifferenceWork(receipt, original));
    onProgress?.(index + 1, receipts.length);
  }
  const applied = transactions.length;
  return firstDifference === undefined ? { applied } : { applied, firstDifference };
}

/**
 * Executes the rest of a block, and compares everything that the block changed with the chain's state after it.
 * @param from transactions of the block that are executed already
 * @returns the first difference in words; undefined if there is none
 */
export async function differenceAfterBlock(
  open: OpenBlock,
  block: RpcBlock,
  from: number,
): Promise<string | undefined> {
  const rest = block.transactions.slice(from);
  await open.warm(rest);
  for (const transaction of rest) await open.execute(transaction);
  await open.end(block);
  return open.difference();
}
