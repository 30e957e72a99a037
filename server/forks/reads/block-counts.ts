import { toQuantity } from '../../ethereum/quantity';
import { blockNumberOf, headOf } from './block-numbers';
import { sourceOf } from './named-block';
import type { ForkRead, RunningFork } from './running-fork';

/** Counts that are null for a block that is not there; the engine answers an error. */
export const COUNT_READS: Readonly<Record<string, ForkRead>> = {
  eth_getUncleCountByBlockNumber: countUncles,
  eth_getUncleCountByBlockHash: countUncles,
  eth_getBlockTransactionCountByNumber: countTransactions,
};

async function countTransactions(fork: RunningFork, params: readonly unknown[]): Promise<unknown> {
  const { engine, replayed } = fork;
  const number = await blockNumberOf(fork, params[0]);
  if (number === undefined || (number > headOf(fork) && params[0] !== 'pending')) return null;
  return number === replayed?.number
    ? toQuantity(replayed.transactions.length)
    : engine.request('eth_getBlockTransactionCountByNumber', params);
}

/** Blocks of the fork's own have no uncles, nor has the pending one. */
async function countUncles(fork: RunningFork, [block]: readonly unknown[]): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || (number > headOf(fork) && block !== 'pending')) return null;
  if (number > fork.forkBlock) return '0x0';
  const params = [toQuantity(number)];
  return sourceOf(fork, number).request('eth_getUncleCountByBlockNumber', params);
}
