import { toQuantity } from '../../ethereum/quantity';
import type { RunningFork } from './running-fork';

type Head = Pick<RunningFork, 'node' | 'originalHead'>;

/** Every block above the fork point was made by the fork's own writing side, which so knows the newest. */
export const headOf = ({ node, originalHead }: Head): number =>
  node.blocks.at(-1)?.number ?? originalHead;

/**
 * The number of a block as JSON-RPC names it: a quantity, a tag, a hash, or an object with one of them (EIP-1898).
 * @returns undefined where there is no such block, or it is none
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

/** A range of blocks parted at the fork point; a part is undefined where the range has none of it. */
export interface BlockRange {
  /** Of the forked chain. */
  original?: { first: number; last: number };
  /** Made on the fork, or replayed. */
  own?: { first: number; last: number };
}

/**
 * @param border the last block of the original part
 * @returns undefined where it is no range
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

/** As a filter of `eth_getLogs` or `trace_filter` names a range. */
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
