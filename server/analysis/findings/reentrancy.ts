import { callsAbove, type Place } from '../summary/places';
import { NATIVE_ASSET } from '../../api/native-asset';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/**
 * Contracts that an account called again while they paid it, by the same method, and that paid it again. The trace does not contain the
 * order of state writes, so this says nothing of them.
 */
export function reentrances({ places }: Scene): Finding[] {
  const found = new Map<string, Finding>();
  const open: Place[] = [];
  const byKey = new Map<string, Place[]>();
  for (const place of places) {
    if (place.log) continue;
    for (let top = open.at(-1); top && top.end <= place.id; top = open.at(-1)) {
      open.pop();
      byKey.get(keyOf(top))?.pop();
    }
    const key = keyOf(place);
    const outer = byKey.get(key)?.at(-1);
    const entry = outer && isEntry(place) && !found.has(key) && paidAgain(places, outer, place);
    if (entry) found.set(key, entry);
    open.push(place);
    const same = byKey.get(key);
    if (same) same.push(place);
    else byKey.set(key, [place]);
  }
  return [...found.values()];
}

/** Same caller, contract and method. */
const keyOf = ({ frame: { type, from, to, input } }: Place): string =>
  `${type} ${from} ${to ?? ''} ${input.slice(0, 10)}`;

const isEntry = ({ frame, reverted }: Place): boolean =>
  frame.type === 'CALL' && !reverted && frame.to !== null && frame.from !== frame.to;

function paidAgain(places: readonly Place[], outer: Place, inner: Place): Finding | undefined {
  const [contract, account] = [inner.frame.to, inner.frame.from];
  if (contract === null) return undefined;
  const isPayment = ({ frame, log, reverted }: Place): boolean =>
    !log &&
    !reverted &&
    frame.type === 'CALL' &&
    frame.value > 0n &&
    frame.from === contract &&
    frame.to === account;
  let first: Place | undefined;
  for (const above of callsAbove(places, inner)) {
    if (above.id <= outer.id) break;
    if (isPayment(above)) first = above;
  }
  const second = first && places.slice(inner.id, inner.end).find(isPayment);
  if (!first || !second) return undefined;
  const paid = places.slice(outer.id, outer.end).filter(isPayment);
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
