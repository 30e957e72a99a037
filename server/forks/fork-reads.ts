import { RpcError } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import { blockNumberOf, blockRangeOf, headOf, rangeFields } from './fork-blocks';
import { readLogs } from './fork-logs';
import type { RunningFork } from './fork-methods';
import { checkTracer } from './method-parameters';

type Params = readonly unknown[];
type Read = (fork: RunningFork, params: Params) => Promise<unknown>;

/**
 * Reads of what is older than the fork as well as of what was made on it, for which the engine alone has a part of the answer, or a
 * wrong one: of the block that it forked from it knows no transaction, and it keeps its first answer for a hash, whatever tracer is
 * asked for next.
 */
export const READS_ACROSS: Readonly<Record<string, Read>> = {
  eth_getLogs: readLogs,
  eth_feeHistory: readFeeHistory,
  eth_getTransactionByBlockNumberAndIndex: byBlock('eth_getTransactionByBlockNumberAndIndex'),
  eth_getRawTransactionByBlockNumberAndIndex: byBlock('eth_getRawTransactionByBlockNumberAndIndex'),
  trace_block: byBlock('trace_block'),
  trace_filter: readTraces,
  trace_transaction: byTransaction('trace_transaction'),
  ots_traceTransaction: byTransaction('ots_traceTransaction'),
  ots_getInternalOperations: byTransaction('ots_getInternalOperations'),
  ots_getTransactionError: byTransaction('ots_getTransactionError'),
  debug_traceTransaction: traceTransaction,
  debug_traceBlockByNumber: traceBlock,
  debug_traceBlockByHash: traceBlock,
};

/**
 * @returns what reads the answer of a method on both sides of the fork point; undefined where the engine alone has it
 * @throws RpcError for a tracer that is not offered
 */
export function readAcross(method: string, params: Params): Read | undefined {
  if (method.startsWith('debug_trace')) checkTracer(params[1]);
  return Object.hasOwn(READS_ACROSS, method) ? READS_ACROSS[method] : undefined;
}

function byBlock(method: string): Read {
  return async (fork, params) => {
    const number = await blockNumberOf(fork, params[0]);
    return number === undefined || number > fork.forkBlock
      ? fork.engine.request(method, params)
      : fork.upstream.request(method, params.with(0, toQuantity(number)));
  };
}

function byTransaction(method: string): Read {
  return async (fork, params) => {
    const original = await isOriginal(fork, params[0]);
    if (original === undefined) return null;
    return (original ? fork.upstream : fork.engine).request(method, params);
  };
}

/** @returns undefined for a transaction that is not there */
async function isOriginal(fork: RunningFork, hash: unknown): Promise<boolean | undefined> {
  const transaction = (await fork.engine.request('eth_getTransactionByHash', [hash])) as {
    blockNumber: string | null;
  } | null;
  if (!transaction) return undefined;
  const { blockNumber } = transaction;
  return blockNumber !== null && Number(blockNumber) <= fork.originalHead;
}

async function traceTransaction(fork: RunningFork, params: Params): Promise<unknown> {
  const original = await isOriginal(fork, params[0]);
  if (original === undefined) throw new RpcError(-32001, 'transaction not found');
  return (original ? fork.upstream : fork.engine).request('debug_traceTransaction', params);
}

/** The engine has no method for it. */
async function traceBlock(fork: RunningFork, [block, ...options]: Params): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  const found =
    number === undefined
      ? null
      : await fork.engine.request('eth_getBlockByNumber', [toQuantity(number), false]);
  if (number === undefined || found === null) throw new RpcError(-32001, 'block not found');
  if (number <= fork.forkBlock) {
    return fork.upstream.request('debug_traceBlockByNumber', [toQuantity(number), ...options]);
  }
  const traces: unknown[] = [];
  for (const txHash of (found as { transactions: string[] }).transactions) {
    traces.push({ txHash, result: await traceTransaction(fork, [txHash, ...options]) });
  }
  return traces;
}

async function readTraces(fork: RunningFork, params: Params): Promise<unknown> {
  const filter = (params[0] ?? {}) as Record<string, unknown>;
  const range = await blockRangeOf(fork, filter);
  if (!range?.original) return fork.engine.request('trace_filter', params);
  if (!range.own) {
    const blocks = rangeFields(range.original);
    return fork.upstream.request('trace_filter', [{ ...filter, ...blocks }]);
  }
  const { after, count, ...rest } = filter;
  const [original, own] = (await Promise.all([
    fork.upstream.request('trace_filter', [{ ...rest, ...rangeFields(range.original) }]),
    fork.engine.request('trace_filter', [{ ...rest, ...rangeFields(range.own) }]),
  ])) as [unknown[], unknown[]];
  const start = typeof after === 'number' ? after : 0;
  const end = typeof count === 'number' ? start + count : undefined;
  return original.concat(own).slice(start, end);
}

/** As of execution-apis; fields that a chain does not have are left out. */
interface FeeHistory {
  oldestBlock: string;
  /** One more than blocks: the last is the next block's. */
  baseFeePerGas: string[];
  gasUsedRatio: number[];
  baseFeePerBlobGas?: string[];
  blobGasUsedRatio?: number[];
  reward?: string[][] | null;
}

const MAX_FEE_HISTORY = 1_024;

async function readFeeHistory(fork: RunningFork, params: Params): Promise<unknown> {
  const [wanted, newest, percentiles = []] = params;
  const asked = await blockNumberOf(fork, newest);
  const count = Math.min(Number(wanted), MAX_FEE_HISTORY);
  const { forkBlock } = fork;
  if (asked === undefined || asked <= forkBlock || !(count >= 1)) {
    return fork.engine.request('eth_feeHistory', params);
  }
  const last = Math.min(asked, headOf(fork));
  const first = Math.max(0, last - count + 1);
  const part = async (from: number, to: number): Promise<FeeHistory> =>
    (await (to <= forkBlock ? fork.upstream : fork.engine).request('eth_feeHistory', [
      toQuantity(to - from + 1),
      toQuantity(to),
      percentiles,
    ])) as FeeHistory;
  if (first > forkBlock || last <= forkBlock) return part(first, last);
  const [original, own] = await Promise.all([part(first, forkBlock), part(forkBlock + 1, last)]);
  return joined(original, own);
}

function joined(older: FeeHistory, newer: FeeHistory): FeeHistory {
  const blocks = older.gasUsedRatio.length;
  const { baseFeePerBlobGas, blobGasUsedRatio, reward } = older;
  return {
    oldestBlock: older.oldestBlock,
    baseFeePerGas: [...older.baseFeePerGas.slice(0, blocks), ...newer.baseFeePerGas],
    gasUsedRatio: [...older.gasUsedRatio, ...newer.gasUsedRatio],
    ...(baseFeePerBlobGas && newer.baseFeePerBlobGas
      ? {
          baseFeePerBlobGas: [...baseFeePerBlobGas.slice(0, blocks), ...newer.baseFeePerBlobGas],
        }
      : {}),
    ...(blobGasUsedRatio && newer.blobGasUsedRatio
      ? { blobGasUsedRatio: [...blobGasUsedRatio, ...newer.blobGasUsedRatio] }
      : {}),
    ...(reward && newer.reward ? { reward: [...reward, ...newer.reward] } : {}),
  };
}
