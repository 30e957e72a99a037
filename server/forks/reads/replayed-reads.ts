import { toQuantity } from '../../evm/forms/quantity';
import type { RpcReceipt } from '../../evm/forms/types';
import { blockNumberOf } from './block-numbers';
import { transactionIn, type ReplayedBlock } from './replayed-block';
import type { RunningFork } from './running-fork';

type Params = readonly unknown[];
/** Answers a method on a fork that begins inside a block. @throws RpcError, ApiError */
export type ReplayedRead = (
  fork: RunningFork,
  block: ReplayedBlock,
  params: Params,
) => Promise<unknown>;

/** Reads on forks inside a block for which the engine would return its own replay instead of the originals. */
export const REPLAYED_READS: ReadonlyMap<string, ReplayedRead> = new Map(
  Object.entries<ReplayedRead>({
    eth_getBlockByNumber: readBlock('eth_getBlockByNumber'),
    eth_getBlockByHash: readBlock('eth_getBlockByHash'),
    erigon_getHeaderByNumber: readBlock('erigon_getHeaderByNumber'),
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
  }),
);

/** Signed bytes of a transaction; null beyond the last one. */
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

/** A call in the block sees the chain's PREVRANDAO. */
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
    const { mixHash, parentBeaconBlockRoot, receipts, transactions } = block;
    return {
      ...found,
      ...(mixHash === undefined ? {} : { mixHash }),
      ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
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
