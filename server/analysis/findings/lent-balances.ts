import type { Address, Hash } from '../../api/primitives';
import type { Work } from '../../async/slices';
import type { ExecutionState } from '../execution-state';
import { explainSlotsWork } from '../state/keyed-slots';
import type { Finding } from './finding';

/** Further loans are marked without a look at the storage, to bound the time. */
const MAX_READ = 8;

export const isLoan = ({ kind }: Finding): boolean => kind === 'flashLoan';

/**
 * Marks the loans that only events and calls say. What was lent and given back leaves no difference of a balance; but a token that moved it
 * touched the balances of lender and borrower in its storage.
 * @param state undefined if it is not known: then nothing bears a loan out
 */
export function* markedLoansWork(
  findings: readonly Finding[],
  state: ExecutionState | undefined,
): Work<Finding[]> {
  const marked: Finding[] = [];
  let read = 0;
  for (const one of findings) {
    const isBorneOut = !isLoan(one) || (read++ < MAX_READ && (yield* isTouchedWork(one, state)));
    marked.push(isBorneOut ? one : { ...one, isClaimed: true });
    yield 1;
  }
  return marked;
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
