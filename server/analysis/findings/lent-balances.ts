import type { Address, Hash } from '../../api/primitives';
import type { Work } from '../../async/slices';
import { claimKey, type CheckedClaim } from '../balances/claims';
import type { ExecutionState } from '../execution-state';
import { explainSlotsWork } from '../state/keyed-slots';
import type { Finding } from './finding';

/** Further loans are marked without a look at the storage, to bound the time. */
const MAX_READ = 8;

export const isLoan = ({ kind }: Finding): boolean => kind === 'flashLoan';

/** What may bear a loan out. */
export interface LoanEvidence {
  /** Undefined if it is not known: then nothing bears a loan out. */
  readonly state: ExecutionState | undefined;
  /** Measured changes of balances, by {@link claimKey}. */
  readonly checked: ReadonlyMap<string, CheckedClaim>;
  /** Tokens of the chain's lists, whose events are believed. */
  readonly listed: ReadonlySet<Address>;
}

/**
 * Marks the loans that only events and calls say. The token touched the balances of lender and borrower in its storage; but a token may
 * only have read them. So the change of the lender's balance, which is the fee, was measured too, or the token is a well-known one. A loan
 * without a fee leaves nothing to measure.
 */
export function* markedLoansWork(
  findings: readonly Finding[],
  evidence: LoanEvidence,
): Work<Finding[]> {
  const marked: Finding[] = [];
  let read = 0;
  for (const one of findings) {
    const isBorneOut =
      !isLoan(one) ||
      (isMeasured(one, evidence) &&
        read++ < MAX_READ &&
        (yield* isTouchedWork(one, evidence.state)));
    marked.push(isBorneOut ? one : { ...one, isClaimed: true });
    yield 1;
  }
  return marked;
}

function isMeasured(
  { contract, amounts = [] }: Finding,
  { checked, listed }: LoanEvidence,
): boolean {
  const asset = amounts[0]?.asset;
  if (asset === undefined) return false;
  if (listed.has(asset)) return true;
  const change = checked.get(claimKey({ account: contract, asset }));
  return change !== undefined && change.measured > 0n && change.measured === change.amount;
}

function* isTouchedWork(
  { contract, account, amounts = [] }: Finding,
  state: ExecutionState | undefined,
): Work<boolean> {
  const asset = amounts[0]?.asset;
  if (!state || !account || asset === undefined) return false;
  const sides = [contract, account];
  const { accounts } = yield* explainSlotsWork(touchedSlots(state, asset), {
    checked: sides,
    named: [],
    pairs: [],
    ids: [],
  });
  return sides.every((side) => accounts.has(side));
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
