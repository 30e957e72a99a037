import type { BlockReference, BlockTag, ChainBlock } from '../../api/chain-block';
import { ApiError, transactionNotFound } from '../../api/errors';
import { blockWithHashes, type BlockWithHashes as Header } from '../../evm/forms/block-header';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcTransaction } from '../../evm/forms/types';

/** A chain and its client. */
export interface ChainReader {
  slug: string;
  rpc: RpcClient;
  signal: AbortSignal;
}

/**
 * Resolves a block reference.
 * @throws ApiError `blockNotFound` above the head, or for a time outside the chain's range; `transactionNotFound`,
 * `transactionPending`, `upstreamLacksData`
 */
export async function findBlock(chain: ChainReader, at: BlockReference): Promise<ChainBlock> {
  switch (at.kind) {
    case 'tag':
      return toChainBlock(await taggedBlock(chain, at.tag));
    case 'number':
      return toChainBlock(await numberedBlock(chain, at.number));
    case 'time':
      return toChainBlock(await newestUpTo(chain, at.time));
    case 'transaction': {
      const place = await placeOf(chain, at.hash);
      if (place === undefined) return toChainBlock(await hashedBlock(chain, at.hash));
      const { blockNumber, position } = place;
      return { ...toChainBlock(await numberedBlock(chain, blockNumber)), position };
    }
  }
}

/** The block of a hash that is of no transaction. A block that a reorganization removed is not known. */
async function hashedBlock(chain: ChainReader, hash: string): Promise<Header> {
  const { rpc, slug, signal } = chain;
  const found = (await rpc.request('eth_getBlockByHash', [hash, false], { signal })) as {
    number?: unknown;
  } | null;
  if (typeof found?.number !== 'string') throw transactionNotFound(hash, slug);
  const header = await numberedBlock(chain, BigInt(found.number));
  if (header.hash !== hash) throw transactionNotFound(hash, slug);
  return header;
}

/** @returns undefined if no transaction has the hash */
async function placeOf(
  { rpc, slug, signal }: ChainReader,
  hash: string,
): Promise<{ blockNumber: bigint; position: number } | undefined> {
  const transaction = (await rpc.request('eth_getTransactionByHash', [hash], {
    signal,
  })) as RpcTransaction | null;
  if (transaction === null) return undefined;
  const { blockNumber, transactionIndex } = transaction;
  if (blockNumber === null || transactionIndex === null) {
    throw new ApiError(
      'transactionPending',
      `transaction ${hash} is not in a block of ${slug} yet`,
    );
  }
  return { blockNumber: BigInt(blockNumber), position: Number(transactionIndex) };
}

/** Falls back to `latest` if the chain does not support the tag. */
async function taggedBlock(chain: ChainReader, tag: BlockTag): Promise<Header> {
  const header = (await headerOf(chain, tag)) ?? (await headerOf(chain, 'latest'));
  if (!header) throw lacksBlock(chain, 'its newest block');
  return header;
}

async function numberedBlock(chain: ChainReader, number: bigint): Promise<Header> {
  const header = await headerOf(chain, toQuantity(number));
  if (header) return header;
  const head = await taggedBlock(chain, 'latest');
  if (number > BigInt(head.number)) {
    throw new ApiError(
      'blockNotFound',
      `at is block ${number}; accepted: up to ${BigInt(head.number)}, the head of ${chain.slug}`,
    );
  }
  throw lacksBlock(chain, `block ${number}`);
}

/**
 * Searches between two blocks, alternating interpolation and bisection. Interpolation assumes even block times and is fast on most
 * chains; bisection bounds the number of steps.
 */
async function newestUpTo(chain: ChainReader, time: number): Promise<Header> {
  const head = await taggedBlock(chain, 'latest');
  // The genesis timestamp may be 1970: the chain's first real time is that of block 1.
  let low = await numberedBlock(chain, head.number === '0x0' ? 0n : 1n);
  let high = head;
  if (time < Number(low.timestamp) || time > Number(high.timestamp)) {
    throw new ApiError(
      'blockNotFound',
      `at is ${utc(time)}; accepted: ${utc(Number(low.timestamp))} to ${utc(Number(high.timestamp))}, the times of the blocks of ${chain.slug}`,
    );
  }
  if (Number(high.timestamp) === time) return high;
  for (let turn = 0; Number(high.number) - Number(low.number) > 1; turn++) {
    const number = turn % 2 === 0 ? evenly(low, high, time) : middle(low, high);
    const header = await numberedBlock(chain, BigInt(number));
    if (Number(header.timestamp) <= time) low = header;
    else high = header;
  }
  return low;
}

const middle = (low: Header, high: Header): number =>
  Math.floor((Number(low.number) + Number(high.number)) / 2);

/** Interpolates a block number strictly between the two. */
function evenly(low: Header, high: Header, time: number): number {
  const [first, last] = [Number(low.number), Number(high.number)];
  const share =
    (time - Number(low.timestamp)) / (Number(high.timestamp) - Number(low.timestamp) || 1);
  return Math.min(last - 1, Math.max(first + 1, Math.round(first + share * (last - first))));
}

/** Null for a missing block; some nodes report it as an error. */
async function headerOf({ rpc, signal }: ChainReader, block: string): Promise<Header | null> {
  try {
    return await blockWithHashes(rpc, block, { signal });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

const toChainBlock = ({ number, hash, timestamp, transactions }: Header): ChainBlock => ({
  height: toQuantity(BigInt(number)),
  number: Number(number),
  hash,
  timestamp: Number(timestamp),
  transactionCount: transactions.length,
  position: null,
});

const lacksBlock = ({ slug }: ChainReader, what: string): ApiError =>
  new ApiError('upstreamLacksData', `the node of chain ${slug} does not return ${what}`);

const utc = (time: number): string => new Date(time * 1000).toISOString().replace('.000', '');
