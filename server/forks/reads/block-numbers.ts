import { toQuantity } from '../../evm/forms/quantity';
import type { RunningFork } from './running-fork';

type Head = Pick<RunningFork, 'writer' | 'originalHead'>;

/** The newest block. All blocks above the fork point are made by `node`, so the last one in its list is the newest. */
export const headOf = ({ writer, originalHead }: Head): number =>
  writer.blocks.at(-1)?.number ?? originalHead;

/**
 * The number of a block that is given as in JSON-RPC: a quantity, a tag, a hash, or an object with one of them (EIP-1898).
 * @returns undefined for a missing block or an invalid value
 */
export async function blockNumberOf(
  fork: RunningFork,
  block: unknown,
): Promise<number | undefined> {
  if (typeof block === 'object' && block !== null) {
    const { blockNumber, blockHash } = block as { blockNumber?: unknown; blockHash?: unknown };
    return blockNumberOf(fork, blockHash ?? blockNumber);
  }
  switch (block) {
    case undefined:
    case null:
    case 'latest':
      return headOf(fork);
    case 'pending':
      return headOf(fork) + 1;
    case 'earliest':
      return 0;
    case 'safe':
    case 'finalized':
      return numberIn(await fork.engine.request('eth_getBlockByNumber', [block, false]));
  }
  if (typeof block === 'string' && block.length === 66) {
    return numberIn(await fork.engine.request('eth_getBlockByHash', [block, false]));
  }
  const number = typeof block === 'string' || typeof block === 'number' ? Number(block) : NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const numberIn = (found: unknown): number | undefined => {
  const number = (found as { number?: string } | null)?.number;
  return number === undefined ? undefined : Number(number);
};

/** A range of blocks, split at the fork point; a part is undefined if it is empty. */
export interface BlockRange {
  /** Blocks of the forked chain. */
  original?: { first: number; last: number };
  /** Blocks made on the fork, or replayed. */
  own?: { first: number; last: number };
}

/**
 * @param border the last block of the original part
 * @returns undefined for an invalid range
 */
export async function blockRangeOf(
  fork: RunningFork,
  { fromBlock, toBlock }: { fromBlock?: unknown; toBlock?: unknown },
  border = fork.forkBlock,
): Promise<BlockRange | undefined> {
  const first = await blockNumberOf(fork, fromBlock);
  const last = await blockNumberOf(fork, toBlock);
  if (first === undefined || last === undefined || first > last) return undefined;
  return {
    ...(first <= border ? { original: { first, last: Math.min(last, border) } } : {}),
    ...(last > border ? { own: { first: Math.max(first, border + 1), last } } : {}),
  };
}

/** The range as in filters of `eth_getLogs` and `trace_filter`. */
export const rangeFields = ({
  first,
  last,
}: {
  first: number;
  last: number;
}): { fromBlock: string; toBlock: string } => ({
  fromBlock: toQuantity(first),
  toBlock: toQuantity(last),
});
