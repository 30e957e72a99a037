import type { Address, Hash, Hex } from '../../api/primitives';
import { groupBy } from '../summary/group-by';
import { numberIn, type KnownEvent } from '../summary/known-events';
import { isSwap } from '../summary/trades';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** A swap of a transaction of the block. */
export interface BlockSwap {
  readonly transaction: Hash;
  /** Index of the transaction in its block. */
  readonly index: number;
  readonly pool: Address;
  /** Net of the pool in its two tokens: one positive, one negative. */
  readonly net: readonly [bigint, bigint];
}

/** Sender and called contract of a transaction. */
export interface Parties {
  readonly from: Address;
  readonly to: Address | null;
}

/** Topics of `Swap` of Uniswap V2 and V3 and their descendants. */
export const SWAP_TOPICS: readonly Hash[] = [
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
];
/** What was sold may differ from what was bought by one part in this many. */
const TOLERANCE = 100n;

/** Net of a pool by the data of its event; undefined where it gained both tokens, or none. */
export function netOfLog(topic: string | undefined, data: Hex): BlockSwap['net'] | undefined {
  const word = (index: number): bigint =>
    BigInt(`0x0${data.slice(2 + index * 64, 66 + index * 64)}`);
  if (topic === SWAP_TOPICS[0] && data.length === 2 + 4 * 64) {
    return opposite(word(0) - word(2), word(1) - word(3));
  }
  if (topic !== SWAP_TOPICS[1] || data.length !== 2 + 5 * 64) return undefined;
  return opposite(BigInt.asIntN(256, word(0)), BigInt.asIntN(256, word(1)));
}

const opposite = (first: bigint, second: bigint): BlockSwap['net'] | undefined =>
  (first > 0n && second < 0n) || (first < 0n && second > 0n) ? [first, second] : undefined;

function netOfEvent(event: KnownEvent): BlockSwap['net'] | undefined {
  if (event.values['amount0In'] === undefined) {
    return opposite(numberIn(event, 'amount0'), numberIn(event, 'amount1'));
  }
  return opposite(
    numberIn(event, 'amount0In') - numberIn(event, 'amount0Out'),
    numberIn(event, 'amount1In') - numberIn(event, 'amount1Out'),
  );
}

/** The swaps of the transaction itself, with pools whose swaps can be read. */
export const ownSwaps = ({ events }: Scene): KnownEvent[] =>
  events
    .filter((one) => isSwap(one) && ('amount0In' in one.values || 'tick' in one.values))
    .filter(({ values }) => !('id' in values));

/** A swap before the own one in the same direction, and one after it in the other, which sold what the first one bought. */
export interface Bracket {
  readonly pool: Address;
  readonly nodeId: number;
  readonly before: BlockSwap;
  readonly after: BlockSwap;
}

/**
 * Pairs of other transactions' swaps around the own ones, the nearest first.
 * @param index of the transaction in its block
 */
export function brackets(scene: Scene, index: number, swaps: readonly BlockSwap[]): Bracket[] {
  const found: Bracket[] = [];
  for (const [pool, events] of groupBy(ownSwaps(scene), ({ address }) => address)) {
    const nets = events.map(netOfEvent);
    const isFirst = nets[0] && nets[0][0] > 0n;
    // A pool that was traded with in both directions was not used by a mere customer.
    if (isFirst === undefined || nets.some((net) => !net || net[0] > 0n !== isFirst)) continue;
    const others = swaps.filter((one) => one.pool === pool);
    const fronts = others.filter((one) => one.index < index && one.net[0] > 0n === isFirst);
    const backs = others.filter((one) => one.index > index && one.net[0] > 0n !== isFirst);
    for (const before of fronts.reverse()) {
      const bought = -(isFirst ? before.net[1] : before.net[0]);
      const after = backs.find(({ net }) => {
        const sold = isFirst ? net[1] : net[0];
        const difference = sold > bought ? sold - bought : bought - sold;
        return difference * TOLERANCE <= bought;
      });
      if (after) found.push({ pool, nodeId: events[0]?.step.id ?? 0, before, after });
    }
  }
  return found;
}

/**
 * Swaps that were sandwiched: the same account, or the same contract, traded before and after, and it is neither that of the transaction.
 * @param own sender and called contract of the transaction
 */
export function sandwiches(
  found: readonly Bracket[],
  own: Parties,
  partiesOf: (transaction: Hash) => Parties | undefined,
): Finding[] {
  const pools = new Set<Address>();
  return found.flatMap(({ pool, nodeId, before, after }) => {
    const [front, back] = [partiesOf(before.transaction), partiesOf(after.transaction)];
    if (pools.has(pool) || !front || !back) return [];
    const isOwn = [front, back].some(({ from }) => from === own.from);
    const isSameContract = front.to !== null && front.to === back.to && front.to !== own.to;
    if (isOwn || (front.from !== back.from && !isSameContract)) return [];
    pools.add(pool);
    return {
      kind: 'sandwiched',
      contract: pool,
      account: front.from,
      transactions: [before, after].map(({ transaction: hash, index: position }) => ({
        hash,
        position,
      })),
      nodeIds: [nodeId],
    };
  });
}
