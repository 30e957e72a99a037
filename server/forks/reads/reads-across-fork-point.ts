import { toQuantity } from '../../evm/forms/quantity';
import { ACCESS_LIST_READS } from './access-lists';
import { readBaseFee } from './base-fee';
import { COUNT_READS } from './block-counts';
import { blockNumberOf } from './block-numbers';
import { readCapabilities } from './capabilities';
import { readConfig } from './chain-config';
import { readFeeHistory } from './fee-history';
import { fillTransaction } from './fill-transaction';
import { readGasPrice, readTip } from './gas-price';
import { getLogs } from './logs';
import { OLDER_SEARCHES } from './older-searches';
import { POOL_READS } from './txpool-reads';
import { RAW_READS } from './raw-data';
import { readBlockReceipts, readReceipt } from './receipts';
import type { ReplayedBlock } from './replayed-block';
import { rawAt } from './replayed-reads';
import type { ForkRead, RunningFork } from './running-fork';
import { STATE_READS } from './state-reads';
import { TRACE_READS } from './traces';
import { timedTransaction } from './transaction-times';

/**
 * Reads on both sides of the fork point for which the engine's answer is partial or wrong: it lacks the transactions of the block that it
 * forked from, and it caches its first trace of a hash whatever tracer is requested next.
 */
export const READS_ACROSS_FORK_POINT: ReadonlyMap<string, ForkRead> = new Map(
  Object.entries<ForkRead>({
    eth_getLogs: getLogs,
    eth_getTransactionReceipt: readReceipt,
    eth_getBlockReceipts: readBlockReceipts,
    eth_feeHistory: readFeeHistory,
    eth_baseFee: readBaseFee,
    eth_gasPrice: readGasPrice,
    eth_maxPriorityFeePerGas: readTip,
    eth_capabilities: readCapabilities,
    eth_config: readConfig,
    eth_fillTransaction: fillTransaction,
    eth_getTransactionByBlockNumberAndIndex: byBlock(
      'eth_getTransactionByBlockNumberAndIndex',
      (_, block, index) => block.transactions[Number(index)] ?? null,
      timedTransaction,
    ),
    eth_getRawTransactionByBlockNumberAndIndex: byBlock(
      'eth_getRawTransactionByBlockNumberAndIndex',
      rawAt,
    ),
    ...TRACE_READS,
    ...OLDER_SEARCHES,
    ...RAW_READS,
    ...STATE_READS,
    ...COUNT_READS,
    ...ACCESS_LIST_READS,
    ...POOL_READS,
  }),
);

function byBlock(
  method: string,
  replayed: (fork: RunningFork, block: ReplayedBlock, index: unknown) => unknown,
  completed: (fork: RunningFork, answer: unknown) => unknown = (_, answer) => answer,
): ForkRead {
  return async (fork, params) => {
    const [block, index] = params;
    const number = await blockNumberOf(fork, block);
    if (fork.replayed && number === fork.replayed.number) {
      return replayed(fork, fork.replayed, index);
    }
    const answer =
      number === undefined || number > fork.forkBlock
        ? fork.engine.request(method, params)
        : fork.upstream.request(method, [toQuantity(number), ...params.slice(1)]);
    return completed(fork, await answer);
  };
}
