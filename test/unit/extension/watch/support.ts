import type { Activity } from '../../../../server/api/activity';
import type { Watch } from '../../../../extension/model/watch';
import type { WatchMemory } from '../../../../extension/watch/kept-watches';

export const ALICE = `0x${'a1'.repeat(20)}` as const;
export const BOB = `0x${'b0'.repeat(20)}` as const;
export const FORK = `fork_${'f'.repeat(32)}`;
export const hash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** The memory of a workspace, as it is after a reload of the window as well. */
export function memory(): WatchMemory & { readonly stored: Map<string, unknown> } {
  const stored = new Map<string, unknown>();
  return {
    stored,
    get: (key) => structuredClone(stored.get(key)),
    update: (key, value) => {
      stored.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}

export const addressWatch = (address: `0x${string}` = ALICE, more: Partial<Watch> = {}): Watch => ({
  chain: 'eth',
  place: 'Ethereum',
  name: address === ALICE ? 'Alice' : 'other',
  watched: { kind: 'address', address },
  ...more,
});

export const transaction = (
  number: number,
  watches: number[] = [0],
): Activity['transactions'][number] => ({
  hash: hash(number),
  position: 0,
  from: ALICE,
  to: BOB,
  created: null,
  value: '0',
  selector: '0xa9059cbb',
  method: 'transfer',
  status: true,
  gasUsed: 21_000,
  blockNumber: number,
  watches,
});

export const activity = (head: number, more: Partial<Activity> = {}): Activity => ({
  head: { number: head, hash: hash(head) },
  blocks: 0,
  skipped: 0,
  reorganized: false,
  nativeSymbol: 'ETH',
  labels: {},
  transactions: [],
  count: more.transactions?.length ?? 0,
  ...more,
});
