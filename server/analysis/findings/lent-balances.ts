import type { Address, Hash } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { ExecutionState } from '../execution-state';
import type { StorageWrite } from '../ports';
import { explainSlotsWork } from '../state/keyed-slots';
import type { Finding } from './finding';

/** Further loans are marked without a look at the storage, to bound the time. */
const MAX_READ = 8;

export const isLoan = ({ kind }: Finding): boolean => kind === 'flashLoan';

/** What may bear a loan out. */
export interface LoanEvidence {
  /** Undefined if it is not known: then nothing bears a loan out. */
  readonly state: ExecutionState | undefined;
  /** Words that the tokens were given, in order; empty if they are not known. */
  readonly writes: readonly StorageWrite[];
  /** Tokens of the chain's lists, whose events are believed where they touched both balances. */
  readonly listed: ReadonlySet<Address>;
}

/**
 * Marks the loans that only events and calls say. What was lent and given back leaves no difference of a balance, and a token that lies may
 * read both balances. So the storage of the token has to have shown, while the transaction ran, that the amount left the balance of the
 * lender and reached that of the borrower, and the way back.
 */
export function* markedLoansWork(
  findings: readonly Finding[],
  evidence: LoanEvidence,
): Work<Finding[]> {
  const marked: Finding[] = [];
  let read = 0;
  for (const one of findings) {
    const isBorneOut = !isLoan(one) || (read++ < MAX_READ && (yield* isMovedWork(one, evidence)));
    marked.push(isBorneOut ? one : { ...one, isClaimed: true });
    yield 1;
  }
  return marked;
}

function* isMovedWork(
  { contract, account, amounts = [] }: Finding,
  { state, writes, listed }: LoanEvidence,
): Work<boolean> {
  const [lent] = amounts;
  if (!state || !account || lent === undefined) return false;
  const slots = touchedSlots(state, lent.asset);
  if (listed.has(lent.asset)) {
    const { accounts } = yield* explainSlotsWork(slots, keysOf(contract, account));
    return accounts.has(contract) && accounts.has(account);
  }
  const values = valuesOf(writes, lent.asset, state);
  for (const [side, change] of [
    [contract, -lent.amount],
    [account, lent.amount],
  ] as const) {
    const moved = slots.filter(({ slot }) => wentAndCame(values.get(slot) ?? [], change));
    if (moved.length === 0) return false;
    const { accounts } = yield* explainSlotsWork(moved, keysOf(side));
    if (!accounts.has(side)) return false;
  }
  return true;
}

const keysOf = (...checked: Address[]): Parameters<typeof explainSlotsWork>[1] => ({
  checked,
  named: [],
  pairs: [],
  ids: [],
});

/** Values of each slot of a token, in order: before the transaction, then as they were written. */
function valuesOf(
  writes: readonly StorageWrite[],
  asset: Address,
  { before }: ExecutionState,
): ReadonlyMap<Hash, bigint[]> {
  const values = new Map<Hash, bigint[]>();
  for (const { account, slot, value } of writes) {
    if (account !== asset) continue;
    const known = values.get(slot) ?? [BigInt(before[asset]?.stateDiff?.[slot] ?? ZERO)];
    values.set(slot, known);
    known.push(BigInt(value));
  }
  return values;
}

/** Whether a value changed by exactly this, and later by at least as much the other way. */
function wentAndCame(values: readonly bigint[], change: bigint): boolean {
  let isGone = false;
  for (const [index, value] of values.entries()) {
    const step = value - (values[index - 1] ?? value);
    if (isGone && (change < 0n ? step >= -change : step <= -change)) return true;
    isGone ||= step === change;
  }
  return false;
}

const touchedSlots = (
  { before, after }: ExecutionState,
  asset: Address,
): Parameters<typeof explainSlotsWork>[0] => {
  const [was, is] = [before[asset]?.stateDiff ?? {}, after[asset]?.stateDiff ?? {}];
  return (Object.keys({ ...was, ...is }) as Hash[]).map((slot) => ({
    slot,
    before: was[slot] ?? ZERO,
    after: is[slot] ?? ZERO,
  }));
};
const ZERO: Hash = `0x${'0'.repeat(64)}`;
