import type { FoundTransaction, FoundTransactions } from '../../api/lookup';
import type { Hash } from '../../api/primitives';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { RpcTransaction } from '../../evm/forms/types';

/** A chain or fork that is searched for a transaction. */
export interface SearchTarget extends Pick<FoundTransaction, 'kind' | 'chain' | 'name'> {
  readonly rpc: RpcClient;
  /** Set for a fork: the newest block of the forked chain. Blocks up to it belong to the chain, not to the fork. */
  readonly originalHead?: number;
}

export interface SearchLimits {
  /** Time limit of the search. */
  readonly totalMs: number;
  /** How long the other targets may still answer after the first match. */
  readonly graceMs: number;
}

const LIMITS: SearchLimits = { totalMs: 5_000, graceMs: 400 };

/**
 * Queries all targets at once.
 * @throws the signal's reason when it is aborted; a target that fails is listed in `unanswered`
 */
export async function searchTargets(
  hash: Hash,
  targets: readonly SearchTarget[],
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
    targets.map(async (target) => {
      try {
        const found = await find(hash, target, either);
        if (found !== undefined && !enough.signal.aborted) {
          clearTimeout(timer);
          timer = setTimeout(end, graceMs);
        }
        return { target, found, answered: true };
      } catch {
        return { target, found: undefined, answered: false };
      }
    }),
  );
  clearTimeout(timer);
  signal.throwIfAborted();
  return {
    places: answers.flatMap(({ found }) => found ?? []),
    unanswered: answers.filter(({ answered }) => !answered).map(({ target }) => target.chain),
  };
}

async function find(
  hash: Hash,
  { kind, chain, name, rpc, originalHead = -1 }: SearchTarget,
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
