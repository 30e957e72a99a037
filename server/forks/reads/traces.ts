import { ApiError } from '../../api/errors';
import { isMethodMissing, RpcError, type RpcCall } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcTransaction } from '../../ethereum/types';
import { isOpcodeTrace } from '../../replay/listed-steps';
import { blockNumberOf, blockRangeOf, headOf, rangeFields } from './block-numbers';
import { checkBlockName, checkHash } from './named-block';
import { tracesIn, transactionIn } from './replayed-block';
import type { ForkRead, RunningFork } from './running-fork';
import { traceOpcodes } from './struct-logs';

type Params = readonly unknown[];

/** Traces of the forked chain's transactions come from its node, those of the fork's own from the engine. */
export const TRACE_READS: Readonly<Record<string, ForkRead>> = {
  trace_block: traceBlock,
  trace_filter: readTraces,
  trace_transaction: byTransaction('trace_transaction'),
  ots_traceTransaction: byTransaction('ots_traceTransaction'),
  ots_getInternalOperations: byTransaction('ots_getInternalOperations'),
  ots_getTransactionError: byTransaction('ots_getTransactionError'),
  debug_traceTransaction: traceTransaction,
  debug_traceBlockByNumber: (fork, params) => {
    checkBlockName(params[0]);
    return debugBlock(fork, params);
  },
  debug_traceBlockByHash: (fork, params) => {
    checkHash('the block hash', params[0]);
    return debugBlock(fork, params);
  },
};

function byTransaction(method: string): ForkRead {
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
  if (place === undefined) throw new RpcError(-32000, 'transaction not found');
  const method = 'debug_traceTransaction';
  if (place.original) return tracesOf(fork, { method, params }, place);
  return isOpcodeTrace(params[1])
    ? traceOpcodes(fork, params[0], params[1])
    : fork.engine.request(method, params);
}

/** The engine has no method for it. */
async function debugBlock(fork: RunningFork, [block, ...options]: Params): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || number > headOf(fork)) {
    throw new RpcError(-32000, `block ${String(block)} not found`);
  }
  if (number === 0) throw new RpcError(-32000, 'genesis is not traceable');
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
