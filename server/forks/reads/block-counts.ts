import { toQuantity } from '../../evm/forms/quantity';
import { blockNumberOf, headOf } from './block-numbers';
import { sourceOf } from './named-block';
import type { ForkRead, RunningFork } from './running-fork';

/** Counts, which are null for a missing block; the engine returns an error. */
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

/** The fork's own blocks and the pending block have no uncles. */
async function countUncles(fork: RunningFork, [block]: readonly unknown[]): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || (number > headOf(fork) && block !== 'pending')) return null;
  if (number > fork.forkBlock) return '0x0';
  const params = [toQuantity(number)];
  return sourceOf(fork, number).request('eth_getUncleCountByBlockNumber', params);
}
