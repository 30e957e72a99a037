import { ApiError } from '../../api/errors';
import { isMethodMissing, RpcError, type RpcCall } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcTransaction } from '../../ethereum/types';
import { blockNumberOf, blockRangeOf, headOf, rangeFields } from './block-numbers';
import { readLogs } from './logs';
import type { RunningFork } from '../methods/fork-methods';
import { readBlockReceipts, readReceipt } from './receipts';
import { checkTracer } from '../methods/method-parameters';
import { rawAt, tracesIn, transactionIn, type ReplayedBlock } from './replayed-block';

type Params = readonly unknown[];
type Read = (fork: RunningFork, params: Params) => Promise<unknown>;

/**
 * Reads of what is older than the fork as well as of what was made on it, for which the engine alone has a part of the answer, or a
 * wrong one: of the block that it forked from it knows no transaction, and it keeps its first answer for a hash, whatever tracer is
 * asked for next.
 */
export const READS_ACROSS: Readonly<Record<string, Read>> = {
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
  trace_block: traceBlock,
  trace_filter: readTraces,
  trace_transaction: byTransaction('trace_transaction'),
  ots_traceTransaction: byTransaction('ots_traceTransaction'),
  ots_getInternalOperations: byTransaction('ots_getInternalOperations'),
  ots_getTransactionError: byTransaction('ots_getTransactionError'),
  debug_traceTransaction: traceTransaction,
  debug_traceBlockByNumber: debugBlock,
  debug_traceBlockByHash: debugBlock,
};

/**
 * @returns what reads the answer of a method on both sides of the fork point; undefined where the engine alone has it
 * @throws RpcError for a tracer that is not offered
 */
export function readAcross(method: string, params: Params): Read | undefined {
  if (method.startsWith('debug_trace')) checkTracer(params[1]);
  return Object.hasOwn(READS_ACROSS, method) ? READS_ACROSS[method] : undefined;
}

function byBlock(
  method: string,
  replayed: (fork: RunningFork, block: ReplayedBlock, index: unknown) => unknown,
): Read {
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

function byTransaction(method: string): Read {
  return async (fork, params) => {
    const place = await placeOf(fork, params[0]);
    if (place === undefined) return null;
    if (!place.original) return fork.engine.request(method, params);
    const traces = await tracesOf(fork, { method, params }, place);
    return method === 'trace_transaction' ? tracesIn(fork.replayed, traces) : traces;
  };
}

interface Place {
  /** It is the forked chain's own, or a replay of one. */
  original: boolean;
  block: number;
  index: number;
}

/** @returns undefined for a transaction that is not there */
async function placeOf(fork: RunningFork, hash: unknown): Promise<Place | undefined> {
  const transaction = ((fork.replayed && transactionIn(fork.replayed, hash)) ??
    (await fork.engine.request('eth_getTransactionByHash', [hash]))) as RpcTransaction | null;
  if (!transaction) return undefined;
  const { blockNumber, transactionIndex } = transaction;
  const block = Number(blockNumber);
  const original = blockNumber !== null && block <= fork.originalHead;
  return { original, block, index: Number(transactionIndex) };
}

/** Traces of the forked chain: its node's, or our own where it has none. */
async function tracesOf(
  fork: RunningFork,
  call: RpcCall,
  place: { block: number; index?: number },
): Promise<unknown> {
  try {
    return await fork.upstream.request(call.method, call.params);
  } catch (error) {
    const lacking = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (!lacking && !isMethodMissing(error)) throw error;
    return fork.traceOriginal(call, place);
  }
}

async function traceTransaction(fork: RunningFork, params: Params): Promise<unknown> {
  const place = await placeOf(fork, params[0]);
  if (place === undefined) throw new RpcError(-32001, 'transaction not found');
  const method = 'debug_traceTransaction';
  return place.original
    ? tracesOf(fork, { method, params }, place)
    : fork.engine.request(method, params);
}

/** The engine has no method for it. */
async function debugBlock(fork: RunningFork, [block, ...options]: Params): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || number > headOf(fork)) throw new RpcError(-32001, 'block not found');
  if (number <= fork.forkBlock) {
    const params = [toQuantity(number), ...options];
    return tracesOf(fork, { method: 'debug_traceBlockByNumber', params }, { block: number });
  }
  const traces: unknown[] = [];
  for (const txHash of await transactionsOf(fork, number)) {
    traces.push({ txHash, result: await traceTransaction(fork, [txHash, ...options]) });
  }
  return traces;
}

async function transactionsOf(fork: RunningFork, number: number): Promise<readonly string[]> {
  if (number === fork.replayed?.number) return fork.replayed.transactions.map(({ hash }) => hash);
  const params = [toQuantity(number), false];
  const found = await fork.engine.request('eth_getBlockByNumber', params);
  return (found as { transactions: string[] }).transactions;
}

async function traceBlock(fork: RunningFork, params: Params): Promise<unknown> {
  const number = await blockNumberOf(fork, params[0]);
  if (number === undefined || number > fork.originalHead) {
    return fork.engine.request('trace_block', params);
  }
  const call = { method: 'trace_block', params: [toQuantity(number)] };
  return tracesIn(fork.replayed, await tracesOf(fork, call, { block: number }));
}

async function readTraces(fork: RunningFork, params: Params): Promise<unknown> {
  const filter = (params[0] ?? {}) as Record<string, unknown>;
  const range = await blockRangeOf(fork, filter, fork.originalHead);
  if (!range?.original) return fork.engine.request('trace_filter', params);
  const { after, count, ...rest } = filter;
  const [original, own] = (await Promise.all([
    fork.upstream.request('trace_filter', [{ ...rest, ...rangeFields(range.original) }]),
    range.own && fork.engine.request('trace_filter', [{ ...rest, ...rangeFields(range.own) }]),
  ])) as [unknown[], unknown[] | undefined];
  const start = typeof after === 'number' ? after : 0;
  const end = typeof count === 'number' ? start + count : undefined;
  return tracesIn(fork.replayed, original)
    .concat(own ?? [])
    .slice(start, end);
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
