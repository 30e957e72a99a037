import type { Activity, BlockMarker, Watched } from '../../api/activity';
import type { MethodName } from '../../api/chain-explorer';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import { CONTRACT_LIMITS } from '../../api/schema-limits';
import type { Network } from '../../analysis/ports';
import { RpcError, requestEach } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { searchInRanges } from '../../evm/forms/search-in-ranges';
import type { RpcBlock } from '../../evm/forms/types';
import { filtersOf, matchesIn, type FoundLog, type MatchingTransaction } from './activity-matches';
import { labelsAmong, receiptsOf, selectorsOf, transactionOf } from './listed-transaction';

/** Blocks that are read again below a block which the chain has replaced. */
const REORGANIZED_BLOCKS = 8;
/** Blocks with their transactions in one batch. */
const BATCH = 10;

interface ActivityRequest {
  readonly after?: BlockMarker | undefined;
  readonly watches: readonly Watched[];
}

/**
 * Transactions in the blocks since `after` that match a watch. The node is asked for nothing else while there is no new block.
 * @param head the newest block, with its transactions
 * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `timedOut`
 */
export async function activitySince(
  { rpc, key, nativeSymbol, labels = {} }: Network,
  head: RpcBlock,
  { after, watches }: ActivityRequest,
  methodNames: (selectors: ReadonlySet<Hex>) => Promise<ReadonlyMap<Hex, MethodName>>,
  signal: AbortSignal,
): Promise<Activity> {
  const number = Number(head.number);
  const answer: Activity = {
    head: { number, hash: head.hash },
    blocks: 0,
    skipped: 0,
    reorganized: false,
    nativeSymbol,
    labels: {},
    count: 0,
    transactions: [],
  };
  if (after === undefined || after.hash === head.hash.toLowerCase()) return answer;
  const asMissing = (error: unknown): never => {
    if (!(error instanceof RpcError)) throw error;
    throw new ApiError('upstreamLacksData', `the node of ${key}: ${error.message}`);
  };
  const ask = async (calls: Parameters<typeof requestEach>[1]): Promise<unknown[]> =>
    requestEach(rpc, calls, { signal }).catch(asMissing);

  const reorganized = after.number >= number || !(await isKept(ask, after));
  const below = Math.min(after.number, number) - (reorganized ? REORGANIZED_BLOCKS : 0);
  const first = Math.max(0, below + 1, number - CONTRACT_LIMITS.activityBlocks + 1);
  const range = { first, last: number };
  const logs = await Promise.all(
    filtersOf(watches).map((filter) =>
      searchInRanges(rpc, 'eth_getLogs', filter, range, { signal }).catch(asMissing),
    ),
  );
  const blocks: RpcBlock[] = [];
  for (let start = first; start < number; start += BATCH) {
    const count = Math.min(BATCH, number - start);
    const calls = Array.from({ length: count }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(start + index), true],
    }));
    for (const block of (await ask(calls)) as (RpcBlock | null)[]) {
      if (block === null) {
        throw new ApiError('upstreamLacksData', `the node of ${key} lacks a block below its head`);
      }
      blocks.push(block);
    }
  }
  const found = matchesIn([...blocks, head], (logs as FoundLog[][]).flat(), watches);
  const shown = found.slice(0, CONTRACT_LIMITS.activityTransactions);
  const transactions = await listed(shown, rpc, methodNames, signal);
  return {
    ...answer,
    blocks: number - first + 1,
    skipped: Math.max(0, first - Math.max(0, below + 1)),
    reorganized,
    labels: labelsAmong(labels, transactions),
    count: found.length,
    transactions,
  };
}

/** Whether a block is still part of the chain. */
async function isKept(
  ask: (calls: { method: string; params: readonly unknown[] }[]) => Promise<unknown[]>,
  { number, hash }: BlockMarker,
): Promise<boolean> {
  const params = [toQuantity(number), false];
  const [block] = (await ask([{ method: 'eth_getBlockByNumber', params }])) as (RpcBlock | null)[];
  return block?.hash.toLowerCase() === hash;
}

async function listed(
  found: readonly MatchingTransaction[],
  rpc: Network['rpc'],
  methodNames: (selectors: ReadonlySet<Hex>) => Promise<ReadonlyMap<Hex, MethodName>>,
  signal: AbortSignal,
): Promise<Activity['transactions']> {
  if (found.length === 0) return [];
  const executed = found.map(({ transaction }) => transaction);
  const [receipts, methods] = await Promise.all([
    receiptsOf(rpc, executed, signal),
    methodNames(selectorsOf(executed)),
  ]);
  return found.map(({ transaction, block, position, watches }, index) => ({
    ...transactionOf(transaction, position, receipts[index], methods),
    blockNumber: Number(block.number),
    watches: [...watches],
  }));
}
