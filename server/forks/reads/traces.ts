import { ApiError, type ApiErrorName } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import type { Fields } from '../../evm/forms/fields';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { meaningOf, type ErrorMeaning } from '../../evm/forms/endpoint-errors';
import { toQuantity } from '../../evm/forms/quantity';
import { searchInRanges } from '../../evm/forms/search-in-ranges';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { isOpcodeTrace } from '../../execution/prefix/opcode-trace-bound';
import { blockNumberOf, blockRangeOf, headOf, rangeFields } from './block-numbers';
import {
  callFrameOf,
  isPlainCallTrace,
  type FlatTrace,
} from '../../execution/tracing/call-frames-of-traces';
import { deriveTrace, isDerived, planTrace, type TraceSource } from './derived-traces';
import { checkBlockName, checkHash } from './named-block';
import { tracesIn, transactionIn } from './replayed-block';
import { withOpStackFees } from './op-stack-traces';
import type { ForkRead, RunningFork } from './running-fork';
import { traceOpcodes } from './struct-logs';

type Params = readonly unknown[];

/** Trace methods. Traces of the forked chain's transactions come from its node, those of the fork's own from the engine. */
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
    const position = await placeOf(fork, params[0]);
    if (position === undefined) return null;
    if (!position.original) return fork.engine.request(method, params);
    const traces = await tracesOf(fork, { method, params }, position);
    return method === 'trace_transaction' ? tracesIn(fork.replayed, traces) : traces;
  };
}

interface TracedTransactionPosition {
  /** Whether the transaction is the forked chain's own, or a replay of one. */
  original: boolean;
  block: number;
  blockHash: string | undefined;
  index: number;
}

/** @returns undefined for an unknown transaction */
async function placeOf(
  fork: RunningFork,
  hash: unknown,
): Promise<TracedTransactionPosition | undefined> {
  const transaction = ((fork.replayed && transactionIn(fork.replayed, hash)) ??
    (await fork.engine.request('eth_getTransactionByHash', [hash]))) as RpcTransaction | null;
  if (!transaction) return undefined;
  const { blockHash, blockNumber, transactionIndex } = transaction;
  const block = Number(blockNumber);
  const original = blockNumber !== null && block <= fork.originalHead;
  return { original, block, blockHash: blockHash ?? undefined, index: Number(transactionIndex) };
}

/**
 * Traces of the forked chain: from its node, from a replay if the node does not return them, or from the node's other trace methods if
 * the replay is not possible, for example because the state is pruned.
 */
async function tracesOf(
  fork: RunningFork,
  call: RpcCall,
  position: { block: number; index?: number },
): Promise<unknown> {
  try {
    return await fork.upstream.request(call.method, call.params);
  } catch (error) {
    if (!mayBeReplayed(error)) throw error;
  }
  try {
    return await fork.traceOriginal(call, position);
  } catch (error) {
    const other = await otherTraces(fork, call).catch(() => undefined);
    if (other === undefined) throw error;
    return other;
  }
}

/** Whether an error says nothing about the trace itself: another source may have it. */
function mayBeReplayed(error: unknown): boolean {
  if (error instanceof ApiError) return REPLAYED_FOR.has(error.kind);
  return error instanceof RpcError && !FINAL.has(meaningOf(error));
}

const FINAL: ReadonlySet<ErrorMeaning> = new Set<ErrorMeaning>(['executed', 'invalid']);
const REPLAYED_FOR: ReadonlySet<ApiErrorName> = new Set<ApiErrorName>([
  'upstreamLacksData',
  'upstreamUnreachable',
  'timedOut',
]);

/** A trace that is derived from the node's other trace methods; undefined if none is known. */
async function otherTraces(fork: RunningFork, { method, params }: RpcCall): Promise<unknown> {
  const [subject, options] = params;
  if (method !== 'debug_traceTransaction' || !isPlainCallTrace(options)) return undefined;
  const traces = await fork.upstream.request('trace_transaction', [subject]);
  return Array.isArray(traces) ? callFrameOf(traces as FlatTrace[]) : undefined;
}

async function traceTransaction(fork: RunningFork, [hash, options]: Params): Promise<unknown> {
  const position = await placeOf(fork, hash);
  if (position === undefined) throw new RpcError(RPC_CODES.invalidInput, 'transaction not found');
  if (!isDerived(options)) return traceOnce(fork, position, hash, options);
  const source = sourceOf(fork, { ...position, transactionHash: hash as string });
  return deriveTrace(options as Fields, source, (one) => traceOnce(fork, position, hash, one));
}

const sourceOf = (
  { hardfork }: RunningFork,
  {
    block,
    index,
    blockHash,
    transactionHash,
  }: Omit<TracedTransactionPosition, 'original'> & { transactionHash: string },
): TraceSource => ({
  hardfork,
  position: { blockHash, blockNumber: block, transactionHash, transactionPosition: index },
});

/** Traces with a tracer that every node offers, or without a tracer. */
async function traceOnce(
  fork: RunningFork,
  position: TracedTransactionPosition,
  hash: unknown,
  options: unknown,
): Promise<unknown> {
  const call = { method: 'debug_traceTransaction', params: [hash, ...optionsIn(options)] };
  const isList = isOpcodeTrace(options);
  if (!position.original) {
    return isList ? traceOpcodes(fork, hash, options) : traceOwn(fork, position, call);
  }
  const trace = await tracesOf(fork, call, position);
  return isList && lacksList(trace) ? fork.traceOriginal(call, position) : trace;
}

const optionsIn = (options: unknown): unknown[] =>
  options === undefined || options === null ? [] : [options];

/** Gas of a transaction without data that executes no code. */
const TRANSFER_GAS = 21_000;

/**
 * Whether a list of instructions is missing. A node that records none returns an empty list, as for a transaction that executes no code.
 */
function lacksList(trace: unknown): boolean {
  const { structLogs, gas } = trace as { structLogs?: unknown[]; gas?: number };
  return structLogs?.length === 0 && gas !== TRANSFER_GAS;
}

/** Corrects the gas of the top call, which the engine counts from the start of the block, and adds fees that the engine does not take. */
async function traceOwn(
  fork: RunningFork,
  { index }: TracedTransactionPosition,
  call: RpcCall,
): Promise<unknown> {
  const { engine } = fork;
  const [hash, options] = call.params;
  const trace = withOpStackFees(
    fork,
    hash,
    options,
    await engine.request(call.method, call.params),
  );
  const { tracer } = (call.params[1] ?? {}) as { tracer?: unknown };
  if (tracer !== 'callTracer' || index === 0) return trace;
  const params = [call.params[0]];
  const receipt = (await engine.request('eth_getTransactionReceipt', params)) as RpcReceipt;
  return { ...(trace as object), gasUsed: receipt.gasUsed };
}

/** The engine has no method for traces of a block. */
async function debugBlock(fork: RunningFork, [block, ...options]: Params): Promise<unknown> {
  const number = await blockNumberOf(fork, block);
  if (number === undefined || number > headOf(fork)) {
    throw new RpcError(RPC_CODES.invalidInput, `block ${String(block)} not found`);
  }
  if (number === 0) throw new RpcError(RPC_CODES.invalidInput, 'genesis is not traceable');
  if (number <= fork.forkBlock) return originalBlock(fork, number, options);
  const traces: unknown[] = [];
  for (const txHash of await transactionsOf(fork, number)) {
    traces.push({ txHash, result: await traceTransaction(fork, [txHash, ...options]) });
  }
  return traces;
}

interface BlockTrace {
  txHash: string;
  result: unknown;
}

async function originalBlock(
  fork: RunningFork,
  number: number,
  [options]: Params,
): Promise<BlockTrace[]> {
  if (!isDerived(options)) return originalTraces(fork, number, options);
  const { asks, combine } = planTrace(options as Fields);
  const params = [toQuantity(number), false];
  const header = (await fork.upstream.request('eth_getBlockByNumber', params)) as RpcBlockHeader;
  const lists: BlockTrace[][] = [];
  for (const ask of asks) lists.push(await originalTraces(fork, number, ask));
  return (lists[0] ?? []).map(({ txHash }, index) => {
    const position = { block: number, blockHash: header.hash, index, transactionHash: txHash };
    const answers = lists.map((list) => list[index]?.result);
    return { txHash, result: combine(answers, sourceOf(fork, position)) };
  });
}

async function originalTraces(
  fork: RunningFork,
  number: number,
  options: unknown,
): Promise<BlockTrace[]> {
  const params = [toQuantity(number), ...optionsIn(options)];
  const call = { method: 'debug_traceBlockByNumber', params };
  const position = { block: number };
  const traces = (await tracesOf(fork, call, position)) as BlockTrace[];
  const lacksLists = isOpcodeTrace(options) && traces.some(({ result }) => lacksList(result));
  return lacksLists ? ((await fork.traceOriginal(call, position)) as BlockTrace[]) : traces;
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

/** A filter without bounds covers the whole chain. */
async function readTraces(fork: RunningFork, params: Params): Promise<unknown> {
  const { fromBlock, toBlock, ...filter } = (params[0] ?? {}) as Fields;
  const bounds = { fromBlock: fromBlock ?? 'earliest', toBlock: toBlock ?? 'latest' };
  const range = await blockRangeOf(fork, bounds, fork.originalHead);
  if (!range?.original) return fork.engine.request('trace_filter', [{ ...filter, ...bounds }]);
  const { after, count, ...rest } = filter;
  const [original, own] = (await Promise.all([
    searchInRanges(fork.upstream, 'trace_filter', rest, range.original),
    range.own && fork.engine.request('trace_filter', [{ ...rest, ...rangeFields(range.own) }]),
  ])) as [unknown[], unknown[] | undefined];
  const start = typeof after === 'number' ? after : 0;
  const end = typeof count === 'number' ? start + count : undefined;
  return tracesIn(fork.replayed, original)
    .concat(own ?? [])
    .slice(start, end);
}

/**
 * `debug_traceCall` at a block before the fork point, where the engine has no state: by the forked chain's node, or on another engine.
 * @throws RpcError, ApiError
 */
export function traceOlderCall(
  fork: RunningFork,
  [call, , options]: Params,
  block: number,
): Promise<unknown> {
  const params = [call, toQuantity(block), ...optionsIn(options)];
  return tracesOf(fork, { method: 'debug_traceCall', params }, { block });
}
