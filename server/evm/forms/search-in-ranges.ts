import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError, type RpcCallOptions, type RpcClient } from './json-rpc';
import { meaningOf } from './endpoint-errors';
import { toQuantity } from './quantity';

const PATIENCE = 4;

/** Blocks of a search, both included. */
export interface SearchedBlocks {
  first: number;
  last: number;
}

/**
 * Searches a range of blocks by `eth_getLogs` or `trace_filter`, in as many parts as the node's limits for the range, the answer and the
 * time require. A refused range is halved; a limit that the error names only saves requests. After each part the next one is longer, up to
 * the shortest range that was refused.
 * @param filter the filter without its range
 * @throws RpcError, ApiError of the client; RpcError -32005 if it takes more than `LIMITS.logPages` requests
 */
export async function searchInRanges(
  client: RpcClient,
  method: 'eth_getLogs' | 'trace_filter',
  filter: object,
  { first, last }: SearchedBlocks,
  options?: RpcCallOptions,
): Promise<unknown[]> {
  const parts: unknown[][] = [];
  let size = last - first + 1;
  let refused = Infinity;
  // Parts that succeed before a longer one is tried again: the logs may be less dense there.
  let patience = PATIENCE;
  let succeeded = 0;
  for (let from = first, asked = 0; from <= last; asked++) {
    if (asked === LIMITS.logPages) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the node answers ${method} for ${size} blocks at a time; accepted: up to ${LIMITS.logPages} requests, which reach block ${from - 1} of ${last}`,
      );
    }
    const to = Math.min(last, from + size - 1);
    const params = [{ ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) }];
    try {
      parts.push((await client.request(method, params, options)) as unknown[]);
      from = to + 1;
      if (size >= refused) refused = Infinity;
      if (size * 2 >= refused && ++succeeded < patience) continue;
      size *= 2;
      succeeded = 0;
    } catch (error) {
      if (from === to || !isTooLarge(error, method)) throw error;
      const length = to - from + 1;
      if (length >= refused) patience *= 2;
      refused = Math.min(refused, length);
      succeeded = 0;
      size = hintIn(error, { from, length }) ?? Math.ceil(length / 2);
    }
  }
  return parts.flat();
}

const isTooLarge = (error: unknown, method: string): error is RpcError =>
  error instanceof RpcError && meaningOf(error, method) === 'tooLarge';

const NUMBER = '(\\d[\\d,_]*)\\s*(k)?';
/** Numbers of blocks that an error accepts. Numbers of logs and bytes are not among them. */
const BLOCK_COUNTS = [
  new RegExp(`${NUMBER}[ -]*(?:blocks?\\b|epochs\\b)`, 'i'),
  new RegExp(`${NUMBER}[ -]*range\\b`, 'i'),
  new RegExp(
    `\\b(?:range|distance|blocks)\\b(?:(?!from|\\d).){0,40}${NUMBER}(?![\\dx]|\\s*-\\s*\\d)`,
    'i',
  ),
  new RegExp(`blocks.*\\bmaximum is set to ${NUMBER}`, 'i'),
];
/** A range that an error proposes: `[0x1, 0x2]`, `range 1-2`. */
const PROPOSED = /\[\s*(0x[0-9a-f]+|\d+)\s*,\s*(0x[0-9a-f]+|\d+)\s*\]|\brange (\d+)\s*-\s*(\d+)/i;

/** A shorter length that the error names; undefined if it names none. */
function hintIn(
  { message }: RpcError,
  { from, length }: { from: number; length: number },
): number | undefined {
  const [, a, b, c, d] = PROPOSED.exec(message) ?? [];
  const [start, end] = [Number(a ?? c ?? NaN), Number(b ?? d ?? NaN)];
  const proposed = start === from ? end - start + 1 : NaN;
  const counts = BLOCK_COUNTS.map((pattern) => {
    const [, digits, thousands] = pattern.exec(message) ?? [];
    return Number(digits?.replace(/[,_]/g, '') ?? NaN) * (thousands === undefined ? 1 : 1_000);
  });
  return [proposed, ...counts].find((count) => count >= 1 && count < length);
}
