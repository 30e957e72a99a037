import type { Address } from '../../api/primitives';
import { groupBy } from '../summary/group-by';
import { numberIn, type KnownEvent } from '../summary/known-events';
import type { Step } from '../call-frame';
import { isSwap } from '../summary/trades';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** Methods that return the price of a pool. */
const PRICE_READS: ReadonlySet<string> = new Set([
  '0x0902f1ac', // getReserves()
  '0x3850c7bd', // slot0()
]);

/** Whether the pool gained its first token in a swap; undefined if it gained both or none. */
function gainsFirst(event: KnownEvent): boolean | undefined {
  if (event.values['amount0In'] !== undefined) {
    const [first, second] = [numberIn(event, 'amount0In'), numberIn(event, 'amount1In')];
    return first > 0n === second > 0n ? undefined : first > 0n;
  }
  const first = numberIn(event, 'amount0');
  return first === 0n ? undefined : first > 0n;
}

/**
 * Pools that were moved one way, then read by a contract that does not trade with them, then moved back. Routers read a pool before they
 * trade with it: they are no such contracts.
 */
export function movedReserves({ events, steps }: Scene): Finding[] {
  const swaps = events.filter(
    (event) => isSwap(event) && ('amount0In' in event.values || 'sqrtPriceX96' in event.values),
  );
  if (swaps.length === 0) return [];
  const calls = groupBy(
    steps.filter(({ log }) => !log),
    ({ frame }) => frame.to,
  );
  const found: Finding[] = [];
  for (const [pool, trades] of groupBy(swaps, ({ address }) => address)) {
    const first = trades[0];
    const direction = first && gainsFirst(first);
    if (!first || direction === undefined) continue;
    const back = trades.findLast((one) => gainsFirst(one) === !direction);
    if (!back || back.step.id < first.step.id) continue;
    const received = calls.get(pool) ?? [];
    const traders = tradersAmong(received);
    const read = received.find(
      ({ id, frame, reverted }) =>
        id > first.step.id &&
        id < back.step.id &&
        !reverted &&
        PRICE_READS.has(frame.input) &&
        !traders.has(frame.from),
    );
    if (!read) continue;
    found.push({
      kind: 'reserveMoved',
      contract: pool,
      account: read.frame.from,
      nodeIds: [first.step.id, read.id, back.step.id],
    });
  }
  return found;
}

/** Accounts that called a pool by anything but a read. @param calls the calls of the pool */
const tradersAmong = (calls: readonly Step[]): ReadonlySet<Address> =>
  new Set(
    calls.flatMap(({ frame }) =>
      frame.type === 'CALL' && !PRICE_READS.has(frame.input) ? frame.from : [],
    ),
  );
