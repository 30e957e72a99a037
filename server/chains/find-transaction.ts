import type { FoundTransaction, FoundTransactions } from '../api/lookup';
import type { Hash } from '../api/primitives';
import type { RpcClient } from '../ethereum/json-rpc';
import type { RpcTransaction } from '../ethereum/types';

/** A chain or fork that is searched for a transaction. */
export interface SearchPlace extends Pick<FoundTransaction, 'kind' | 'chain' | 'name'> {
  readonly rpc: RpcClient;
  /** Set for a fork: the newest block of the forked chain. Blocks up to it belong to the chain, not to the fork. */
  readonly originalHead?: number;
}

export interface SearchLimits {
  /** Time limit of the search. */
  readonly totalMs: number;
  /** How long the other places may still answer after the first match. */
  readonly graceMs: number;
}

const LIMITS: SearchLimits = { totalMs: 5_000, graceMs: 400 };

/**
 * Queries all places at once.
 * @throws the signal's reason when it is aborted; a place that fails is listed in `unanswered`
 */
export async function findTransaction(
  hash: Hash,
  places: readonly SearchPlace[],
  signal: AbortSignal,
  { totalMs, graceMs }: SearchLimits = LIMITS,
): Promise<Omit<FoundTransactions, 'notAsked'>> {
  const enough = new AbortController();
  const end = (): void => {
    enough.abort();
  };
  let timer = setTimeout(end, totalMs);
  const either = AbortSignal.any([signal, enough.signal]);
  const answers = await Promise.all(
    places.map(async (place) => {
      try {
        const found = await find(hash, place, either);
        if (found !== undefined && !enough.signal.aborted) {
          clearTimeout(timer);
          timer = setTimeout(end, graceMs);
        }
        return { place, found, answered: true };
      } catch {
        return { place, found: undefined, answered: false };
      }
    }),
  );
  clearTimeout(timer);
  signal.throwIfAborted();
  return {
    places: answers.flatMap(({ found }) => found ?? []),
    unanswered: answers.filter(({ answered }) => !answered).map(({ place }) => place.chain),
  };
}

async function find(
  hash: Hash,
  { kind, chain, name, rpc, originalHead = -1 }: SearchPlace,
  signal: AbortSignal,
): Promise<FoundTransaction | undefined> {
  const transaction = (await rpc.request('eth_getTransactionByHash', [hash], {
    signal,
  })) as RpcTransaction | null;
  if (transaction === null) return undefined;
  const blockNumber = transaction.blockNumber === null ? null : Number(transaction.blockNumber);
  if (blockNumber !== null && blockNumber <= originalHead) return undefined;
  return { kind, chain, name, blockNumber };
}
