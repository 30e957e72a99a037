import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader, RpcReceipt } from '../../evm/forms/types';
import { blobGasPrice } from '../../execution/prefix/engine-blob-price';
import { fetchBlock, fetchReceipts } from '../../execution/prefix/upstream-block';
import { blockNumberOf } from './block-numbers';
import type { RunningFork } from './running-fork';

type Params = readonly unknown[];

/** `eth_getTransactionReceipt`: the original receipt for a replayed transaction. @returns null if there is none */
export async function readReceipt(fork: RunningFork, params: Params): Promise<unknown> {
  const [hash] = params;
  const original = fork.replayed?.receipts.find(({ transactionHash }) => transactionHash === hash);
  if (original) return original;
  const receipt = await fork.engine.request('eth_getTransactionReceipt', params);
  return receipt === null ? null : priced(fork, receipt as RpcReceipt);
}

/** `eth_getBlockReceipts` on both sides of the fork point. @returns null if there is no such block */
export async function readBlockReceipts(fork: RunningFork, params: Params): Promise<unknown> {
  const { replayed, engine } = fork;
  const number = await blockNumberOf(fork, params[0]);
  if (replayed && number === replayed.number) return replayed.receipts;
  if (number !== undefined && number <= fork.forkBlock) return originalReceipts(fork, number);
  const receipts = await engine.request('eth_getBlockReceipts', params);
  return Array.isArray(receipts)
    ? Promise.all((receipts as RpcReceipt[]).map((receipt) => priced(fork, receipt)))
    : receipts;
}

/** Not every node offers `eth_getBlockReceipts`; each offers single receipts. */
async function originalReceipts({ upstream }: RunningFork, number: number): Promise<unknown> {
  const block = await fetchBlock(upstream, number);
  return block && fetchReceipts(upstream, block, block.transactions.length);
}

type ReceiptReader = Pick<RunningFork, 'engine' | 'forkBlock' | 'hardfork' | 'writer'>;

/**
 * Corrects the blob price of a receipt, and adds the fees of the OP Stack. The engine charges blobs by the rules in force, but its receipts
 * contain a price by Cancun's rules.
 */
export async function priced(fork: ReceiptReader, receipt: RpcReceipt): Promise<RpcReceipt> {
  if (Number(receipt.blockNumber) <= fork.forkBlock) return receipt;
  const corrected = await withBlobPrice(fork, receipt);
  return { ...corrected, ...fork.writer.fees?.of(receipt.transactionHash)?.receipt };
}

async function withBlobPrice(fork: ReceiptReader, receipt: RpcReceipt): Promise<RpcReceipt> {
  if (receipt.blobGasUsed === undefined || receipt.type !== '0x3') return withoutBlobs(receipt);
  const params = [receipt.blockNumber, false];
  const block = (await fork.engine.request('eth_getBlockByNumber', params)) as RpcBlockHeader;
  const price = blobGasPrice(BigInt(block.excessBlobGas ?? '0x0'), fork.hardfork);
  return { ...receipt, blobGasPrice: toQuantity(price) };
}

/** Removes blob fields from receipts without blobs (execution-apis); the engine adds a price anyway. */
function withoutBlobs(receipt: RpcReceipt): RpcReceipt {
  if (receipt.type === '0x3') return receipt;
  const isOfBlobs = (name: string): boolean => name === 'blobGasPrice' || name === 'blobGasUsed';
  const rest = Object.entries(receipt).filter(([name]) => !isOfBlobs(name));
  return Object.fromEntries(rest) as unknown as RpcReceipt;
}
