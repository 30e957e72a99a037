import { createHash } from 'node:crypto';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { BLOCK_LOOKUP, BLOCK_PARAMETER } from './block-lookups';

/** Location of a kept answer. */
export interface AnswerLocation {
  /** File name that groups answers that are used together: answers at one block, or under similar hashes. */
  shard: string;
  key: string;
  /** The block that must be final for the answer to be final; undefined: the answer contains it. */
  height: bigint | undefined;
}

/** Lookups by hash: the answer contains its block. */
const BY_HASH = new Set([
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getTransactionByBlockHashAndIndex',
]);
const NUMBER = /^0x[0-9a-f]{1,16}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

/** @returns undefined if the answer depends on the head, and so may change whichever block is final */
export function answerLocation(call: RpcCall): AnswerLocation | undefined {
  const { method, params } = call;
  for (const table of [BLOCK_PARAMETER, BLOCK_LOOKUP]) {
    if (Object.hasOwn(table, method)) return atBlock(call, params[table[method] ?? 0]);
  }
  if (BY_HASH.has(method)) {
    const [hash] = params;
    return typeof hash === 'string' && HASH.test(hash) ? byHash(call, hash, undefined) : undefined;
  }
  return method === 'eth_getLogs' ? ofLogs(call) : undefined;
}

/** Location of an answer that the hash of its block covers, so that it never changes; undefined for other calls. */
export function sealedLocation(call: RpcCall): AnswerLocation | undefined {
  const location = answerLocation(call);
  if (location?.height === 0n) return location.shard.startsWith(HASHES) ? location : undefined;
  const isBlock = call.method === 'eth_getBlockByHash' && location !== undefined;
  return isBlock ? { ...location, shard: `${HASHES}blocks`, height: 0n } : undefined;
}

/** The block that must be final for an answer to be final, as the answer states it. */
export function heightIn(answer: unknown): bigint | undefined {
  const { number, blockNumber } = (answer ?? {}) as Record<string, unknown>;
  const height = blockNumber ?? number;
  return typeof height === 'string' && NUMBER.test(height) ? BigInt(height) : undefined;
}

/** The number of a block that an answer contains, so that the node has the block. */
export const heightOf = (call: RpcCall | undefined, answer: unknown): bigint | undefined =>
  call?.method === 'eth_blockNumber' && typeof answer === 'string' && NUMBER.test(answer)
    ? BigInt(answer)
    : call?.method.startsWith('eth_get') === true
      ? heightIn(answer)
      : undefined;

function atBlock(call: RpcCall, block: unknown): AnswerLocation | undefined {
  if (typeof block === 'object' && block !== null) {
    const { blockNumber, blockHash } = block as Record<string, unknown>;
    return atBlock(call, blockHash ?? blockNumber);
  }
  if (typeof block !== 'string') return undefined;
  // Data that a block's hash covers never changes, whichever chain the block ends up on.
  if (HASH.test(block)) return byHash(call, block, 0n);
  return NUMBER.test(block) ? byNumber(call, BigInt(block)) : undefined;
}

function ofLogs(call: RpcCall): AnswerLocation | undefined {
  const { blockHash, fromBlock, toBlock } = (call.params[0] ?? {}) as Record<string, unknown>;
  if (typeof blockHash === 'string') return atBlock(call, blockHash);
  const isNumber = (block: unknown): boolean => typeof block === 'string' && NUMBER.test(block);
  return isNumber(fromBlock) && isNumber(toBlock) ? atBlock(call, toBlock) : undefined;
}

const byNumber = (call: RpcCall, height: bigint): AnswerLocation => ({
  shard: height.toString(),
  key: keyOf(call),
  height,
});

const byHash = (call: RpcCall, hash: string, height: bigint | undefined): AnswerLocation => ({
  shard: `${HASHES}${hash.slice(2, 4).toLowerCase()}`,
  key: keyOf(call),
  height,
});

const HASHES = 'hash-';

const keyOf = (call: RpcCall): string =>
  createHash('sha256').update(callText(call)).digest('base64url').slice(0, 24);

/** Returns the same text for equivalent calls: hex in lower case, members sorted. */
export const callText = ({ method, params }: RpcCall): string =>
  JSON.stringify([method, normalised(params)]);

function normalised(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, normalised(member)]),
  );
}
