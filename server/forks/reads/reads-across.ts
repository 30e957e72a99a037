import { toQuantity } from '../../ethereum/quantity';
import { blockNumberOf } from './block-numbers';
import { readFeeHistory } from './fee-history';
import { readLogs } from './logs';
import { readBlockReceipts, readReceipt } from './receipts';
import type { ReplayedBlock } from './replayed-block';
import { rawAt } from './replayed-reads';
import type { ForkRead, RunningFork } from './running-fork';
import { TRACE_READS } from './traces';

/**
 * Reads of what is older than the fork as well as of what was made on it, for which the engine alone has a part of the answer, or a
 * wrong one: of the block that it forked from it knows no transaction, and it keeps its first answer for a hash, whatever tracer is
 * asked for next.
 */
export const READS_ACROSS: ReadonlyMap<string, ForkRead> = new Map(
  Object.entries<ForkRead>({
    eth_getLogs: readLogs,
    eth_getTransactionReceipt: readReceipt,
    eth_getBlockReceipts: readBlockReceipts,
    eth_feeHistory: readFeeHistory,
    eth_getTransactionByBlockNumberAndIndex: byBlock(
      'eth_getTransactionByBlockNumberAndIndex',
      (_, block, index) => block.transactions[Number(index)] ?? null,
    ),
    eth_getRawTransactionByBlockNumberAndIndex: byBlock(
      'eth_getRawTransactionByBlockNumberAndIndex',
      rawAt,
    ),
    ...TRACE_READS,
  }),
);

function byBlock(
  method: string,
  replayed: (fork: RunningFork, block: ReplayedBlock, index: unknown) => unknown,
): ForkRead {
  return async (fork, params) => {
    const number = await blockNumberOf(fork, params[0]);
    if (fork.replayed && number === fork.replayed.number) {
      return replayed(fork, fork.replayed, params[1]);
    }
    return number === undefined || number > fork.forkBlock
      ? fork.engine.request(method, params)
      : fork.upstream.request(method, params.with(0, toQuantity(number)));
  };
}
