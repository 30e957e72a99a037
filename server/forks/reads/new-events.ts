import { invalidParams, requestEach } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { LIMITS } from '../../api/limits';
import type { Follower, Topic } from '../writes/fork-feed';
import { headOf } from './block-numbers';
import { readLogs } from './logs';
import type { RunningFork } from './running-fork';

/** Blocks that are requested at once. */
const PAGE = 100;

/** A follower that starts at the current head. */
export const followerOf = (fork: RunningFork, topic: Topic): Follower => ({
  position: headOf(fork),
  sent: topic.of === 'transactions' ? fork.feed.sentCount : undefined,
  bytes: JSON.stringify(topic).length,
});

/**
 * The relevant fields of a log filter.
 * @throws RpcError for fields that `eth_getLogs` does not accept, and for too many addresses or topics
 */
export async function checkCriteria(
  { engine }: RunningFork,
  criteria: unknown = {},
): Promise<Readonly<Record<string, unknown>>> {
  if (typeof criteria !== 'object' || criteria === null || Array.isArray(criteria)) {
    throw invalidParams('the filter', criteria, 'an object with "address" and "topics"');
  }
  const { address, topics, fromBlock, toBlock, blockHash } = criteria as Record<string, unknown>;
  requireFew('addresses', address);
  requireFew('topics', topics);
  await engine.request('eth_getLogs', [
    { address, topics, fromBlock: 'latest', toBlock: 'latest' },
  ]);
  return { address, topics, fromBlock, toBlock, blockHash };
}

/** @throws RpcError -32602 */
function requireFew(name: string, given: unknown): void {
  const count = Array.isArray(given) ? given.flat().length : 0;
  const { filterEntries } = LIMITS;
  if (count > filterEntries)
    throw invalidParams(`the number of ${name}`, count, `up to ${filterEntries}`);
}

/**
 * Items that are new to a follower, oldest first: headers, logs, hashes or transactions. Advances the follower.
 * @throws RpcError, ApiError; the follower is not advanced then
 */
export async function newsOf(
  fork: RunningFork,
  topic: Topic,
  follower: Follower,
): Promise<unknown[]> {
  if (topic.of === 'transactions') {
    const hashes = fork.feed.sentSince(follower.sent ?? 0);
    follower.sent = fork.feed.sentCount;
    return topic.whole === true ? transactions(fork, hashes) : hashes;
  }
  const known = follower.position;
  const head = headOf(fork);
  if (head <= known) return [];
  follower.position = head;
  try {
    return topic.of === 'blocks'
      ? await headers(fork, known + 1, head)
      : await logs(fork, topic.criteria, known + 1, head);
  } catch (error) {
    follower.position = Math.min(follower.position, known);
    throw error;
  }
}

/** Logs that match the criteria in blocks `first` to `last`. */
async function logs(
  fork: RunningFork,
  criteria: Readonly<Record<string, unknown>>,
  first: number,
  last: number,
): Promise<unknown[]> {
  const { fromBlock, toBlock, blockHash, ...rest } = criteria;
  if (blockHash !== undefined) return [];
  const from = Math.max(first, numberOf(fromBlock) ?? first);
  const to = Math.min(last, numberOf(toBlock) ?? last);
  if (from > to) return [];
  const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  return (await readLogs(fork, [{ ...rest, ...range }])) as unknown[];
}

/** @returns undefined if it is not a number: most tags stand for future blocks */
export const numberOf = (block: unknown): number | undefined => {
  if (block === 'earliest') return 0;
  const number = typeof block === 'string' || typeof block === 'number' ? Number(block) : NaN;
  return Number.isNaN(number) ? undefined : number;
};

/** Header fields and the hash, as in a notification of `newHeads`. */
async function headers({ engine }: RunningFork, first: number, last: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let next = first; next <= last; next += PAGE) {
    const count = Math.min(PAGE, last - next + 1);
    const blocks = await requestEach(
      engine,
      Array.from({ length: count }, (_, i) => ({
        method: 'eth_getBlockByNumber',
        params: [toQuantity(next + i), false],
      })),
    );
    found.push(...blocks.filter(isThere).map(headerOf));
  }
  return found;
}

async function transactions({ engine }: RunningFork, hashes: string[]): Promise<unknown[]> {
  const method = 'eth_getTransactionByHash';
  const calls = hashes.map((hash) => ({ method, params: [hash] }));
  return (await requestEach(engine, calls)).filter(isThere);
}

/** A concurrent revert may have removed it. */
const isThere = (found: unknown): boolean => found !== null;

const BODY = new Set(['transactions', 'uncles', 'withdrawals', 'size']);

const headerOf = (block: unknown): unknown =>
  Object.fromEntries(Object.entries(block as object).filter(([field]) => !BODY.has(field)));
