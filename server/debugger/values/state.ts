import type { Frame } from '../evm/frame';
import type { Machine } from '../evm/machine';
import { toWord } from '../../ethereum/quantity';
import { Unavailable } from './value';

/** Storage that the recording lacks, by account and slot. @returns undefined where it is unknown */
export type OtherStorage = (address: string, slot: bigint) => bigint | undefined;

/** What values are read from: a call frame of a machine before a step. */
export interface State {
  readonly machine: Machine;
  readonly frame: Frame;
  /** @throws Unavailable where the recording lacks the slot */
  storage(address: string, slot: bigint): bigint;
  transient(address: string, slot: bigint): bigint;
}

/**
 * The state of a frame at a step.
 * @param at `before`: storage as before the transaction
 * @param other slots that the transaction does not touch
 */
export function frameState(
  machine: Machine,
  frame: Frame,
  other: OtherStorage,
  at: 'step' | 'before' = 'step',
): State {
  const { world } = machine;
  return {
    machine,
    frame,
    storage: (address, slot) => {
      const known =
        at === 'step' ? world.knownStorage(address, slot) : world.knownOriginal(address, slot);
      const value = known ?? other(address, slot);
      if (value !== undefined) return value;
      throw new Unavailable(
        `the transaction does not touch the slot ${toWord(slot)} of ${address}, and its value is not loaded`,
      );
    },
    transient: (address, slot) => (at === 'step' ? world.transient(address, slot) : 0n),
  };
}

/** Slots that readings asked for and nothing knew: to load them, and to read again. */
export class MissingSlots {
  readonly #missing = new Map<string, { address: string; slot: bigint }>();

  constructor(private readonly known: OtherStorage) {}

  readonly storage: OtherStorage = (address, slot) => {
    const value = this.known(address, slot);
    if (value === undefined) this.#missing.set(`${address} ${slot}`, { address, slot });
    return value;
  };

  get slots(): { address: string; slot: bigint }[] {
    return [...this.#missing.values()];
  }
}
