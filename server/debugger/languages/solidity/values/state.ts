import type { Frame } from '../../../../evm/interpreter/frame';
import type { Machine } from '../../../../evm/interpreter/machine';
import type { Account } from '../../../../evm/interpreter/world';
import { toWord } from '../../../../evm/forms/quantity';
import type { Assumptions } from './assumptions';
import type { Assumed, OtherAccount, OtherStorage } from '../../port/other-state';
import { Unavailable } from '../../port/unavailable';

/** What values are read from: a call frame of a machine before a step. */
export interface State {
  readonly machine: Machine;
  readonly frame: Frame;
  /** @throws Unavailable where the recording lacks the slot */
  storage(address: string, slot: bigint): bigint;
  /** @throws Unavailable where the recording lacks the account */
  account(address: string): Account;
  transient(address: string, slot: bigint): bigint;
  /** Notes that code which reads any slot of an account may find other values than the source has. */
  notePending(address: string): void;
}

/** What `frameState` reads besides the recording. */
export interface Others {
  /** Slots that the transaction does not touch. */
  readonly storage: OtherStorage;
  /** Accounts that it does not touch. */
  readonly account: OtherAccount;
  /** Receives what the values that are read rest on. */
  readonly assumptions: Assumptions;
  /** Why a slot of the frame's account, or any of them, may not have the value of its variable. */
  readonly pending?: ((slot?: bigint) => string | undefined) | undefined;
}

/**
 * The state of a frame at a step.
 * @param at `before`: storage as before the transaction
 */
export function frameState(
  machine: Machine,
  frame: Frame,
  { storage: otherStorage, account: otherAccount, assumptions, pending }: Others,
  at: 'step' | 'before' = 'step',
): State {
  const { world } = machine;
  const proved = <T extends object | bigint>(
    what: string,
    value: T | Assumed<T> | string | undefined,
  ): T => {
    if (typeof value === 'string' || value === undefined) {
      throw new Unavailable(
        `the transaction does not touch the ${what}: ${value ?? 'its value is not read'}`,
      );
    }
    if (typeof value !== 'object' || !('assumption' in value)) return value;
    assumptions.note(value.assumption);
    return value.value;
  };
  const note = (address: string, slot?: bigint): void => {
    const reason = address === frame.context.address ? pending?.(slot) : undefined;
    if (reason !== undefined) assumptions.note(reason);
  };
  return {
    machine,
    frame,
    notePending: note,
    storage: (address, slot) => {
      const known =
        at === 'step' ? world.knownStorage(address, slot) : world.knownOriginal(address, slot);
      const value = known ?? otherStorage(address, slot);
      note(address, slot);
      return proved(`slot ${toWord(slot)} of ${address}`, value);
    },
    account: (address) =>
      proved(`account ${address}`, world.knownAccount(address) ?? otherAccount(address)),
    transient: (address, slot) => (at === 'step' ? world.transient(address, slot) : 0n),
  };
}
