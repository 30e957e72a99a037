import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { Touching, TouchingBody } from '../../api/regress';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';

/** Blocks of the first search by events; fewer where the node refuses, more where it finds little. */
const FIRST_RANGE = 2_000;
const MOST_RANGE = 1_000_000;
const PAGE = 100;

interface Wanted extends TouchingBody {
  readonly head: number;
}

interface Found {
  readonly hash: Hash;
  readonly block: number;
  readonly position: number;
}

/** The newest transactions that touched a contract: by the node's index, else by the events of the contract; on a fork by both. */
export async function touchingTransactions(
  { rpc, replayable, held }: Network,
  address: Address,
  { from = 0, to, last, head }: Wanted,
  signal: AbortSignal,
): Promise<Touching> {
  const newest = Math.min(to ?? head, head);
  const indexed = await byIndex(rpc, address, { from, newest, last, head }, signal);
  // The index of a fork's engine has the blocks of the fork alone.
  const isFork = !replayable && held === undefined;
  if (indexed && (!isFork || indexed.length >= last)) {
    return { ...listed(indexed, last), by: 'index', from };
  }
  const logged = await byLogs(rpc, address, { from, newest, last }, signal);
  const found = [...(indexed ?? []), ...logged.found];
  return { ...listed(found, last), by: indexed ? 'fork' : 'logs', from: logged.oldest };
}

function listed(found: readonly Found[], last: number): Pick<Touching, 'transactions' | 'oldest'> {
  const distinct = [...new Map(found.map((one) => [one.hash, one])).values()];
  distinct.sort((one, other) => one.block - other.block || one.position - other.position);
  const wanted = distinct.slice(-last);
  return { transactions: wanted.map(({ hash }) => hash), oldest: wanted[0]?.block ?? null };
}

/** Undefined where the node has no index (Otterscan API). */
async function byIndex(
  rpc: RpcClient,
  address: Address,
  { from, newest, last, head }: { from: number; newest: number; last: number; head: number },
  signal: AbortSignal,
): Promise<Found[] | undefined> {
  const found: Found[] = [];
  let before = newest + 1 > head ? 0 : newest + 1;
  for (;;) {
    let answer: unknown;
    try {
      const params = [address, before, Math.min(PAGE, last)];
      answer = await rpc.request('ots_searchTransactionsBefore', params, { signal });
    } catch (error) {
      if (error instanceof RpcError || isLack(error)) return undefined;
      throw error;
    }
    const { txs, lastPage } = (answer ?? {}) as { txs?: unknown; lastPage?: unknown };
    if (!Array.isArray(txs)) return undefined;
    const page = (txs as { hash: Hash; blockNumber: Hex; transactionIndex: Hex }[]).map(toFound);
    found.push(...page.filter(({ block }) => block >= from && block <= newest));
    const oldest = Math.min(...page.map(({ block }) => block));
    if (page.length === 0 || lastPage === true || found.length >= last || oldest <= from)
      return found;
    before = oldest;
  }
}

const toFound = ({
  hash,
  blockNumber,
  transactionIndex,
}: {
  hash: Hash;
  blockNumber: Hex;
  transactionIndex: Hex;
}): Found => ({ hash, block: Number(blockNumber), position: Number(transactionIndex) });

const isLack = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'upstreamLacksData';

async function byLogs(
  rpc: RpcClient,
  address: Address,
  { from, newest, last }: { from: number; newest: number; last: number },
  signal: AbortSignal,
): Promise<{ found: Found[]; oldest: number }> {
  const found = new Map<Hash, Found>();
  let range = FIRST_RANGE;
  let end = newest;
  while (end >= from && found.size < last) {
    const start = Math.max(from, end - range + 1);
    try {
      const filter = { address, fromBlock: toQuantity(start), toBlock: toQuantity(end) };
      const logs = await rpc.request('eth_getLogs', [filter], { signal });
      for (const log of logs as {
        transactionHash: Hash;
        blockNumber: Hex;
        transactionIndex: Hex;
      }[]) {
        const { transactionHash: hash, blockNumber, transactionIndex } = log;
        found.set(hash, toFound({ hash, blockNumber, transactionIndex }));
      }
    } catch (error) {
      if (signal.aborted || range === 1) throw error;
      if (!(error instanceof RpcError) && !isLack(error)) throw error;
      range = Math.ceil(range / 4);
      continue;
    }
    end = start - 1;
    range = Math.min(range * 2, MOST_RANGE);
  }
  return { found: [...found.values()], oldest: end + 1 };
}
