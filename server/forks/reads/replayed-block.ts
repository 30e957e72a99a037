import type { Hash } from '../../api/primitives';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../../ethereum/types';
import { blockNumberOf } from './block-numbers';
import type { RunningFork } from '../methods/fork-methods';

/**
 * The block that a fork inside a block begins with: the transactions and receipts are the original ones, in the block that the engine
 * mined of them. So its hash is the engine's, and its PREVRANDAO the chain's.
 */
export interface ReplayedBlock {
  number: number;
  hash: Hash;
  mixHash: Hash | undefined;
  transactions: readonly RpcTransaction[];
  receipts: readonly RpcReceipt[];
}

/** @param original with the replayed transactions only; @param hash of the block that the engine mined */
export function replayedBlock(
  { number, mixHash, transactions }: RpcBlock,
  receipts: readonly RpcReceipt[],
  hash: Hash,
): ReplayedBlock {
  const here = <T extends object>(one: T): T & { blockHash: Hash } => ({ ...one, blockHash: hash });
  return {
    number: Number(number),
    hash,
    mixHash,
    transactions: transactions.map(here),
    receipts: receipts.map((receipt) => ({ ...here(receipt), logs: receipt.logs.map(here) })),
  };
}

type Params = readonly unknown[];
export type ReplayedRead = (
  fork: RunningFork,
  block: ReplayedBlock,
  params: Params,
) => Promise<unknown>;

/** Reads that the engine alone would answer with what it executed, on forks inside a block. */
const REPLAYED_READS: Readonly<Record<string, ReplayedRead>> = {
  eth_getBlockByNumber: readBlock('eth_getBlockByNumber'),
  eth_getBlockByHash: readBlock('eth_getBlockByHash'),
  erigon_getHeaderByNumber: readBlock('erigon_getHeaderByNumber'),
  eth_getBlockTransactionCountByNumber: count('eth_getBlockTransactionCountByNumber'),
  eth_getBlockTransactionCountByHash: count('eth_getBlockTransactionCountByHash'),
  eth_call: callInBlock,
  debug_traceCall: traceCallInBlock,
  eth_getTransactionByHash: (fork, block, params) =>
    Promise.resolve(
      transactionIn(block, params[0]) ?? fork.engine.request('eth_getTransactionByHash', params),
    ),
  eth_getRawTransactionByHash: ({ engine, upstream }, block, params) =>
    (transactionIn(block, params[0]) ? upstream : engine).request(
      'eth_getRawTransactionByHash',
      params,
    ),
  eth_getTransactionByBlockHashAndIndex: async (fork, block, params) =>
    (await isIn(fork, block, params[0]))
      ? (block.transactions[Number(params[1])] ?? null)
      : fork.engine.request('eth_getTransactionByBlockHashAndIndex', params),
  eth_getRawTransactionByBlockHashAndIndex: async (fork, block, params) =>
    (await isIn(fork, block, params[0]))
      ? rawAt(fork, block, params[1])
      : fork.engine.request('eth_getRawTransactionByBlockHashAndIndex', params),
};

export const replayedRead = (method: string): ReplayedRead | undefined =>
  Object.hasOwn(REPLAYED_READS, method) ? REPLAYED_READS[method] : undefined;

export const transactionIn = (block: ReplayedBlock, hash: unknown): RpcTransaction | undefined =>
  block.transactions.find((one) => one.hash === hash);

/** Its signed bytes; null beyond the last. */
export function rawAt(
  { upstream }: RunningFork,
  block: ReplayedBlock,
  index: unknown,
): Promise<unknown> {
  const hash = block.transactions[Number(index)]?.hash;
  return hash === undefined
    ? Promise.resolve(null)
    : upstream.request('eth_getRawTransactionByHash', [hash]);
}

async function isIn(fork: RunningFork, block: ReplayedBlock, asked: unknown): Promise<boolean> {
  return asked === block.hash || (await blockNumberOf(fork, asked)) === block.number;
}

/** A call in the block sees its PREVRANDAO. */
async function callInBlock(
  fork: RunningFork,
  block: ReplayedBlock,
  params: Params,
): Promise<unknown> {
  const [call, at = 'latest', state = null, overrides = null] = params;
  const random = (await isIn(fork, block, at)) && overrides === null ? block.mixHash : undefined;
  const own = random === undefined ? params : [call, at, state, { random }];
  return fork.engine.request('eth_call', own);
}

async function traceCallInBlock(
  fork: RunningFork,
  block: ReplayedBlock,
  params: Params,
): Promise<unknown> {
  const [call, at = 'latest', options] = params;
  const { blockOverrides, ...rest } = (options ?? {}) as { blockOverrides?: unknown };
  const random = (await isIn(fork, block, at)) && !blockOverrides ? block.mixHash : undefined;
  const own = random === undefined ? params : [call, at, { ...rest, blockOverrides: { random } }];
  return fork.engine.request('debug_traceCall', own);
}

function count(method: string): ReplayedRead {
  return async (fork, block, params) =>
    (await isIn(fork, block, params[0]))
      ? toQuantity(block.transactions.length)
      : fork.engine.request(method, params);
}

function readBlock(method: string): ReplayedRead {
  return async (fork, block, params) => {
    const answer = await fork.engine.request(method, params);
    const found = answer as { hash?: unknown; transactions?: unknown } | null;
    if (found?.hash !== block.hash) return answer;
    const { mixHash, receipts, transactions } = block;
    return {
      ...found,
      ...(mixHash === undefined ? {} : { mixHash }),
      gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? '0x0',
      logsBloom: joinedBlooms(receipts),
      ...(found.transactions === undefined
        ? {}
        : {
            transactions: params[1] === true ? transactions : transactions.map(({ hash }) => hash),
          }),
    };
  };
}

const BLOOM_BYTES = 256;

function joinedBlooms(receipts: readonly (RpcReceipt & { logsBloom?: string })[]): string {
  let bits = 0n;
  for (const { logsBloom } of receipts) bits |= BigInt(logsBloom ?? '0x0');
  return `0x${bits.toString(16).padStart(BLOOM_BYTES * 2, '0')}`;
}

/** As `eth_getLogs` selects them: by address and topics. */
export function logsIn({ receipts }: ReplayedBlock, filter: object): RpcLog[] {
  const { address, topics } = filter as { address?: unknown; topics?: unknown };
  const isOneOf = (value: string | undefined, wanted: unknown): boolean => {
    if (wanted === undefined || wanted === null) return true;
    const accepted = (Array.isArray(wanted) ? wanted : [wanted]) as unknown[];
    return accepted.some((one) => String(one).toLowerCase() === value?.toLowerCase());
  };
  const positions = Array.isArray(topics) ? (topics as unknown[]) : [];
  return receipts
    .flatMap(({ logs }) => logs)
    .filter(
      (log) =>
        isOneOf(log.address, Array.isArray(address) && address.length === 0 ? null : address) &&
        positions.every((wanted, i) =>
          isOneOf(log.topics[i], Array.isArray(wanted) && wanted.length === 0 ? null : wanted),
        ),
    );
}

interface Trace {
  blockHash: string;
  blockNumber: number;
  transactionPosition?: number | null;
}

/** Of the traces of original blocks, those that the fork has: without what came behind it in its block. */
export function tracesIn(block: ReplayedBlock | undefined, traces: unknown): unknown[] {
  return (traces as Trace[]).flatMap((trace) => {
    if (trace.blockNumber !== block?.number) return [trace];
    const { transactionPosition } = trace;
    const position = transactionPosition ?? Infinity;
    return position < block.transactions.length ? [{ ...trace, blockHash: block.hash }] : [];
  });
}
