import { callsAbove, type Step } from '../call-frame';
import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/**
 * Contracts that an account called again while they paid it, by the same method, and that paid it again. The trace does not contain the
 * order of state writes, so this says nothing of them.
 */
export function* reentrancesWork({ steps }: Scene): Work<Finding[]> {
  const found = new Map<string, Finding>();
  const paidTwice = repeatedPayments(steps);
  if (paidTwice.size === 0) return [];
  const open: Step[] = [];
  const byKey = new Map<string, Step[]>();
  for (const step of steps) {
    const { frame, log } = step;
    if (log || frame.type !== 'CALL' || !paidTwice.has(routeOf(frame.to, frame.from))) continue;
    for (let top = open.at(-1); top && top.end <= step.id; top = open.at(-1)) {
      open.pop();
      byKey.get(keyOf(top))?.pop();
    }
    yield 1;
    const key = keyOf(step);
    const outer = byKey.get(key)?.at(-1);
    const entry = outer && isEntry(step) && !found.has(key) && paidAgain(steps, outer, step);
    if (entry) found.set(key, entry);
    open.push(step);
    const same = byKey.get(key);
    if (same) same.push(step);
    else byKey.set(key, [step]);
  }
  return [...found.values()];
}

/** Same caller, contract and method. */
const keyOf = ({ frame: { from, to, input } }: Step): string =>
  `${routeOf(from, to)} ${input.slice(0, 10)}`;

const routeOf = (from: Address | null, to: Address | null): string => `${from ?? ''} ${to ?? ''}`;

/** From whom to whom more than one call carried native value. */
function repeatedPayments(steps: readonly Step[]): ReadonlySet<string> {
  const paid = new Map<Address, Set<Address | null>>();
  const again = new Set<string>();
  for (const { frame, log, reverted } of steps) {
    if (log || reverted || frame.type !== 'CALL' || frame.value === 0n) continue;
    const { from, to } = frame;
    const payees = paid.get(from);
    if (!payees) paid.set(from, new Set([to]));
    else if (payees.has(to)) again.add(routeOf(from, to));
    else payees.add(to);
  }
  return again;
}

const isEntry = ({ frame, reverted }: Step): boolean =>
  !reverted && frame.to !== null && frame.from !== frame.to;

function paidAgain(steps: readonly Step[], outer: Step, inner: Step): Finding | undefined {
  const [contract, account] = [inner.frame.to, inner.frame.from];
  if (contract === null) return undefined;
  const isPayment = ({ frame, log, reverted }: Step): boolean =>
    !log &&
    !reverted &&
    frame.type === 'CALL' &&
    frame.value > 0n &&
    frame.from === contract &&
    frame.to === account;
  let first: Step | undefined;
  for (const above of callsAbove(steps, inner)) {
    if (above.id <= outer.id) break;
    if (isPayment(above)) first = above;
  }
  const second = first && steps.slice(inner.id, inner.end).find(isPayment);
  if (!first || !second) return undefined;
  const paid = steps.slice(outer.id, outer.end).filter(isPayment);
  return {
    kind: 'reentered',
    contract,
    account,
    amounts: [
      {
        asset: NATIVE_ASSET,
        standard: 'native',
        amount: paid.reduce((sum, { frame }) => sum + frame.value, 0n),
      },
    ],
    nodeIds: [outer.id, first.id, inner.id, second.id],
  };
}
