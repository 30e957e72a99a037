import { guessOf, type Guesses } from '../../../server/presentation/guesses';
import type { CallTree } from './tree-model';
import type { Parts } from '../protocol/protocol';
import { balanceGroups } from './balance-model';
import { roundTrips, type RoundTrip } from './round-trips';

/** The account with the greatest gain or loss in value. */
export interface Extreme {
  account: string;
  /** Signed USD in cents. */
  total: bigint;
  /** What the least proved of its changes rests on. */
  evidence: 'measured' | 'claimed';
}

/** Noteworthy facts about a transaction. Lists end at `LIMIT` entries; the counts are complete. */
export interface Highlights {
  created: { count: number; first: { id: number; address: string }[] };
  destroyed: { count: number; first: { id: number; address: string }[] };
  /** Calls that failed although their caller continued. */
  caughtFailures: { count: number; first: number | undefined };
  /** Calls of which a part is guessed. */
  guesses: Guesses;
  /** Number of calls without a known method, and without a guess. */
  unknown: number;
  roundTrips: RoundTrip[];
}

export const LIMIT = 3;

/** The accounts with the greatest gain and the greatest loss, among those whose prices are all known. */
export function extremes(balances: Parts['balanceChange']): {
  gain?: Extreme;
  loss?: Extreme;
} {
  let gain: Extreme | undefined;
  let loss: Extreme | undefined;
  const nameOf = (): string => '';
  for (const { account, total, rows } of balanceGroups(balances, nameOf)) {
    if (total === undefined) continue;
    const isClaimed = rows.some(({ evidence }) => evidence === 'claimed');
    const extreme: Extreme = { account, total, evidence: isClaimed ? 'claimed' : 'measured' };
    if (total > (gain?.total ?? 0n)) gain = extreme;
    if (total < (loss?.total ?? 0n)) loss = extreme;
  }
  return { ...(gain && { gain }), ...(loss && { loss }) };
}

/** A list that stores its first entries and counts all of them. */
class Counted<T> {
  count = 0;
  readonly first: T[] = [];

  add(entry: T): void {
    this.count++;
    if (this.first.length < LIMIT) this.first.push(entry);
  }
}

export function highlightsOf(tree: CallTree): Highlights {
  const created = new Counted<{ id: number; address: string }>();
  const destroyed = new Counted<{ id: number; address: string }>();
  const caughtFailures = new Counted<number>();
  const guesses = { names: 0, argumentTypes: 0 };
  let unknown = 0;
  tree.rows.forEach((row, index) => {
    if (row.nodeType === 1) return;
    const call = row.invocation;
    const { id, address, operation, status, revert, selector } = call;
    if (status && !revert && operation.startsWith('CREATE')) created.add({ id, address });
    if (!revert && operation === 'SELFDESTRUCT') destroyed.add({ id, address: call.fromAddress });
    const caller = tree.rows[tree.parent[index] ?? -1];
    if (!status && caller?.nodeType === 0 && caller.invocation.status) caughtFailures.add(id);
    const guess = guessOf(call);
    if (guess !== undefined) guesses[guess]++;
    else if (!call.methodDecoded && /^0x[0-9a-f]{8}$/.test(selector)) unknown++;
  });
  return {
    created,
    destroyed,
    guesses,
    unknown,
    caughtFailures: { count: caughtFailures.count, first: caughtFailures.first[0] },
    roundTrips: roundTrips(tree, LIMIT),
  };
}
