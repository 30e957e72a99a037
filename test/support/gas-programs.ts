import type { Hex } from '../../server/api/primitives';

/** Refunds of SSTORE by hardfork, in gas (EIP-2200, EIP-2929, EIP-3529). */
const RULES = {
  istanbul: { clear: 15_000, set: 19_200, reset: 4_200 },
  berlin: { clear: 15_000, set: 19_900, reset: 2_800 },
  london: { clear: 4_800, set: 19_900, reset: 2_800 },
  prague: { clear: 4_800, set: 19_900, reset: 2_800 },
} as const;
export type RefundRules = keyof typeof RULES;

const ENDS = { stop: '00', revert: '60006000fd', invalid: 'fe' } as const;
type Operation = { slot: number; value: number } | { call: number };

export interface Program {
  operations: Operation[];
  end: keyof typeof ENDS;
  /** Values of slots 0 to 3 before the execution. */
  storage: number[];
}

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Programs that write storage, call later programs of the list, and sometimes fail. */
export function randomPrograms(random: () => number, count: number): Program[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, place) => ({
    storage: Array.from({ length: 4 }, () => below(3)),
    end: random() < 0.7 ? 'stop' : random() < 0.7 ? 'revert' : 'invalid',
    operations: Array.from({ length: below(9) }, () =>
      random() < 0.3 && place + 1 < count
        ? { call: place + 1 + below(count - place - 1) }
        : { slot: below(4), value: below(3) },
    ),
  }));
}

const byte = (value: number): string => value.toString(16).padStart(2, '0');

/** @param addressOf address of the program with an index */
export const assemble = ({ operations, end }: Program, addressOf: (place: number) => string): Hex =>
  `0x${operations
    .map((one) =>
      'call' in one
        ? `60006000600060006000 73${addressOf(one.call).slice(2)} 620186a0 f1 50`
        : `60${byte(one.value)} 60${byte(one.slot)} 55`,
    )
    .join('')
    .replaceAll(' ', '')}${ENDS[end]}`;

/** Computes the refund counter after the program with an index, from the rules and without an engine. */
export function refundCounter(
  programs: readonly Program[],
  place: number,
  rules: RefundRules,
): number {
  const { clear, set, reset } = RULES[rules];
  let storage = programs.map((one) => [...one.storage]);
  let counter = 0;
  const run = (at: number): void => {
    const before = { storage: storage.map((one) => [...one]), counter };
    const { operations, end } = programs[at]!;
    for (const one of operations) {
      if ('call' in one) run(one.call);
      else {
        const original = programs[at]!.storage[one.slot]!;
        const current = storage[at]![one.slot]!;
        storage[at]![one.slot] = one.value;
        if (current === one.value) continue;
        if (original !== 0) {
          if (current === 0) counter -= clear;
          if (one.value === 0) counter += clear;
        }
        if (original === one.value && original !== current) counter += original === 0 ? set : reset;
      }
    }
    if (end !== 'stop') ({ storage, counter } = before);
  };
  run(place);
  return counter;
}
