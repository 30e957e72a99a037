import { RpcError } from '../../evm/forms/json-rpc';
import { searchInRanges } from '../../evm/forms/search-in-ranges';
import { RPC_CODES } from '../../api/rpc-codes';
import { blockNumberOf, blockRangeOf, headOf, rangeFields } from './block-numbers';
import { logsIn } from './replayed-block';
import type { RunningFork } from './running-fork';

const isNumber = (block: unknown): block is string =>
  typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block);

/**
 * `eth_getLogs`, with the errors of execution-apis for ranges that end before they begin, or end beyond the head.
 * @throws RpcError -32602, and -32000 for an unknown block hash
 */
export async function getLogs(fork: RunningFork, params: readonly unknown[]): Promise<unknown> {
  const { fromBlock, toBlock, blockHash } = (params[0] ?? {}) as Record<string, unknown>;
  if (isNumber(fromBlock) && isNumber(toBlock) && BigInt(fromBlock) > BigInt(toBlock)) {
    throw new RpcError(
      RPC_CODES.invalidParams,
      `invalid block range: fromBlock ${fromBlock} > toBlock ${toBlock}`,
    );
  }
  const head = headOf(fork);
  if (isNumber(toBlock) && BigInt(toBlock) > BigInt(head)) {
    throw new RpcError(
      RPC_CODES.invalidParams,
      `block range extends beyond current head block: toBlock is ${Number(toBlock)}, the head ${head}`,
    );
  }
  const logs = (await readLogs(fork, params)) as unknown[];
  const isUnknown =
    typeof blockHash === 'string' &&
    logs.length === 0 &&
    (await blockNumberOf(fork, blockHash)) === undefined;
  if (isUnknown) throw new RpcError(RPC_CODES.invalidInput, `unknown block ${blockHash}`);
  return logs;
}

/**
 * Logs on both sides of the fork point: older logs from the forked chain's node, in as many ranges as its limits require; newer ones from
 * the engine.
 * @throws RpcError
 */
export async function readLogs(fork: RunningFork, params: readonly unknown[]): Promise<unknown> {
  const { engine, upstream, replayed } = fork;
  const [filter] = params;
  if (typeof filter !== 'object' || filter === null) return engine.request('eth_getLogs', params);
  if ('blockHash' in filter) {
    return replayed && filter.blockHash === replayed.hash
      ? logsIn(replayed, filter)
      : engine.request('eth_getLogs', params);
  }
  const range = await blockRangeOf(fork, filter);
  const { original, own } = range ?? {};
  const isReplayed = own !== undefined && own.first === replayed?.number;
  if (!original && !isReplayed) return engine.request('eth_getLogs', params);
  const made = own && { ...own, first: own.first + (isReplayed ? 1 : 0) };
  const [older, newer] = await Promise.all([
    original ? searchInRanges(upstream, 'eth_getLogs', filter, original) : [],
    made && made.first <= made.last
      ? (engine.request('eth_getLogs', [{ ...filter, ...rangeFields(made) }]) as Promise<unknown[]>)
      : [],
  ]);
  return [...older, ...(isReplayed ? logsIn(replayed, filter) : []), ...newer];
}
