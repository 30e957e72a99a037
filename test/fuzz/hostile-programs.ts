import fc from 'fast-check';
import { id } from 'ethers';

/** A program in EVM code whose transaction is large in one direction. */
export interface HostileProgram {
  readonly kind: 'transfers' | 'deep calls' | 'wide calls' | 'writes' | 'revert data';
  /** Transfers, calls or writes. */
  readonly count: number;
  /** Bytes of the data of each call, or of the failure. */
  readonly size: number;
}

/** Each takes less than 25 M gas. */
const MOST: Readonly<Record<HostileProgram['kind'], { count: number; size: number }>> = {
  transfers: { count: 8_000, size: 0 },
  'deep calls': { count: 400, size: 0 },
  'wide calls': { count: 2_000, size: 20_000 },
  writes: { count: 900, size: 0 },
  'revert data': { count: 1, size: 1_000_000 },
};

export const hostileProgram: fc.Arbitrary<HostileProgram> = fc
  .constantFrom(...(Object.keys(MOST) as HostileProgram['kind'][]))
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      count: fc.integer({ min: 1, max: MOST[kind].count }),
      size: fc.integer({ min: 0, max: MOST[kind].size }),
    }),
  );

const number = (value: number, bytes: number): string =>
  value.toString(16).padStart(2 * bytes, '0');

/** Repeats a body. The counter is on the stack. */
const loop = (count: number, body: string): string =>
  `63${number(count, 4)}5b${body}600190038060055700`;

const TRANSFER = id('Transfer(address,address,uint256)').slice(2);

/** Runtime code, `0x` and hex digits. */
export function codeOf({ kind, count, size }: HostileProgram): string {
  const bodies = {
    // mstore(0, counter); log3(0, 32, Transfer, caller, counter)
    transfers: () => loop(count, `8060005280337f${TRANSFER}60206000a3`),
    // Calls itself with one byte of data less, until none is left.
    'deep calls': () => '3615601557600060006001360360006000305af1505b00',
    // The precompile that returns its data.
    'wide calls': () => loop(count, `6000600062${number(size, 3)}6000600060045af150`),
    // sstore(counter, counter)
    writes: () => loop(count, '808055'),
    'revert data': () => `62${number(size, 3)}6000fd`,
  };
  return `0x${bodies[kind]()}`;
}

/** Call data of the transaction. */
export const inputOf = ({ kind, count }: HostileProgram): string =>
  kind === 'deep calls' ? `0x${'00'.repeat(count)}` : '0x';
