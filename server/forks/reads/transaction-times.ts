import type { Fields } from '../../evm/forms/fields';
import { requestEach } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { sourceOf } from './named-block';
import type { RunningFork } from './running-fork';

type Completion = (fork: RunningFork, answer: unknown) => Promise<unknown>;

/**
 * Adds `blockTimestamp` to transactions without it: execution-apis requires it, but the engine and many nodes omit it. It is null for a
 * pending transaction.
 */
export async function timedTransaction(fork: RunningFork, answer: unknown): Promise<unknown> {
  if (!isFields(answer) || answer['blockTimestamp'] !== undefined) return answer;
  const number = answer['blockNumber'] ?? null;
  if (number === null) return { ...answer, blockTimestamp: null };
  const time = timeOnFork(fork, Number(number));
  if (time !== undefined) return { ...answer, blockTimestamp: toQuantity(time) };
  const call = { method: 'eth_getBlockByNumber', params: [number, false] };
  const [block] = await requestEach(sourceOf(fork, Number(number)), [call]);
  return isFields(block) ? { ...answer, blockTimestamp: block['timestamp'] } : answer;
}

/** @returns Unix seconds; undefined for a block that was not made on the fork */
function timeOnFork({ writer: { blocks } }: RunningFork, number: number): number | undefined {
  const block = blocks[number - (blocks[0]?.number ?? 0)];
  return block?.number === number ? block.timestamp : undefined;
}

/** The same for the transactions in a block. */
function timedBlock(answer: unknown): unknown {
  if (!isFields(answer) || !Array.isArray(answer['transactions'])) return answer;
  const { timestamp } = answer;
  const transactions = (answer['transactions'] as unknown[]).map((one) =>
    isFields(one) ? { blockTimestamp: timestamp, ...one } : one,
  );
  return { ...answer, transactions };
}

const blocks: Completion = (_, answer) => Promise.resolve(timedBlock(answer));

const COMPLETIONS: ReadonlyMap<string, Completion> = new Map([
  ['eth_getTransactionByHash', timedTransaction],
  ['eth_getTransactionByBlockHashAndIndex', timedTransaction],
  ['eth_getTransactionBySenderAndNonce', timedTransaction],
  ['eth_getBlockByNumber', blocks],
  ['eth_getBlockByHash', blocks],
]);

/** The function that completes the answer of a method; undefined if the answer contains no transactions. */
export function completionOf(method: string, params: readonly unknown[]): Completion | undefined {
  if (method.startsWith('eth_getBlockBy') && params[1] !== true) return undefined;
  return COMPLETIONS.get(method);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
