import { invalidParams } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RunningFork } from '../reads/running-fork';
import { methods, write, type Methods } from './fork-method';
import { wholeNumber } from './method-parameters';

/** Blocks that one call may mine: each keeps a copy of the state. */
const MAX_BLOCKS_PER_CALL = 10_000;

/** Methods that mine blocks. */
export const MINING: Methods = methods({
  evm_mine: write((fork, [options]) => mine(fork, options).then(() => '0x0')),
  evm_mine_detailed: write(async (fork, [options]) => minedBlocks(fork, await mine(fork, options))),
  anvil_mine: write(mineBlocks),
});

/**
 * @param options as in anvil: none, a timestamp, or `{ timestamp, blocks }`
 * @returns the number of blocks
 */
async function mine({ writer }: RunningFork, options: unknown): Promise<number> {
  const { timestamp, blocks } =
    typeof options === 'object' && options !== null
      ? (options as { timestamp?: unknown; blocks?: unknown })
      : { timestamp: options, blocks: undefined };
  const count = wholeNumber('blocks', blocks) ?? 1;
  const at = wholeNumber('timestamp', timestamp);
  await writer.mine(blockCount(count), at === undefined ? {} : { timestamp: at });
  return count;
}

/** The newest blocks, with their transactions. */
async function minedBlocks({ writer, engine }: RunningFork, count: number): Promise<unknown[]> {
  const outcomes = await engine.requestAll(
    writer.blocks.slice(-count).map(({ number }) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(number), true],
    })),
  );
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null));
}

/** Parameters as in anvil: number of blocks, and seconds between them. */
async function mineBlocks(
  { writer }: RunningFork,
  [blocks, interval]: readonly unknown[],
): Promise<null> {
  const count = wholeNumber('blocks', blocks) ?? 1;
  const seconds = wholeNumber('interval', interval);
  if (count > 0) {
    await writer.mine(blockCount(count), seconds === undefined ? {} : { interval: seconds });
  }
  return null;
}

function blockCount(count: number): number {
  if (count <= MAX_BLOCKS_PER_CALL) return count;
  throw invalidParams('blocks', count, `up to ${MAX_BLOCKS_PER_CALL} in one call`);
}
