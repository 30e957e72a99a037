import { RpcError, type RpcClient } from '../../ethereum/json-rpc';
import { blockRangeOf, rangeFields } from './block-numbers';
import { logsIn } from './replayed-block';
import type { RunningFork } from './running-fork';

/** Requests to the forked chain's node for one call. */
const MAX_PAGES = 1_000;

/**
 * `eth_getLogs` over the fork point: older logs from the forked chain's node, in as many ranges as its limits ask for; newer ones
 * from the engine.
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
    original ? readInPages(upstream, filter, original) : [],
    made && made.first <= made.last
      ? (engine.request('eth_getLogs', [{ ...filter, ...rangeFields(made) }]) as Promise<unknown[]>)
      : [],
  ]);
  return [...older, ...(isReplayed ? logsIn(replayed, filter) : []), ...newer];
}

async function readInPages(
  upstream: RpcClient,
  filter: object,
  { first, last }: { first: number; last: number },
): Promise<unknown[]> {
  const pages: unknown[][] = [];
  let size = last - first + 1;
  for (let from = first, asked = 0; from <= last; asked++) {
    if (asked === MAX_PAGES) {
      throw new RpcError(
        -32005,
        `the forked chain's node gives logs of ${size} blocks at a time; ask for ${MAX_PAGES * size} blocks at most`,
      );
    }
    const to = Math.min(last, from + size - 1);
    try {
      const page = rangeFields({ first: from, last: to });
      pages.push((await upstream.request('eth_getLogs', [{ ...filter, ...page }])) as unknown[]);
      from = to + 1;
    } catch (error) {
      if (from === to || !isTooMuch(error)) throw error;
      size = smaller(to - from + 1, error);
    }
  }
  return pages.flat();
}

/** Providers have no common code for it. */
const isTooMuch = (error: unknown): error is RpcError =>
  error instanceof RpcError &&
  /range|limit|too (many|large|big|wide)|more than|exceed|response size|max(imum)?\b/i.test(
    error.message,
  );

/** What the refusal says that it takes, where it does; else half. */
function smaller(size: number, { message }: RpcError): number {
  const said =
    /([\d,]+)[ -]*blocks?\b/i.exec(message)?.[1] ?? /range\D*([\d,]+)/i.exec(message)?.[1];
  const taken = Number(said?.replaceAll(',', '') ?? NaN);
  return taken >= 1 && taken < size ? taken : Math.ceil(size / 2);
}
