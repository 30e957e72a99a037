import type { Frame } from '../evm/frame';
import type { Machine } from '../evm/machine';
import { toWord } from '../../ethereum/quantity';
import { Unavailable } from './value';

/** Storage that the recording lacks, by account and slot. @returns why it is not known; undefined where it was not read */
export type OtherStorage = (address: string, slot: bigint) => bigint | string | undefined;

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
      const value = known ?? other(address, slot) ?? 'its value is not read';
      if (typeof value === 'bigint') return value;
      throw new Unavailable(
        `the transaction does not touch the slot ${toWord(slot)} of ${address}: ${value}`,
      );
    },
    transient: (address, slot) => (at === 'step' ? world.transient(address, slot) : 0n),
  };
}
