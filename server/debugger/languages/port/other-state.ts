import type { Account } from '../../../evm/interpreter/world';

/** A value that is not proved. */
export interface Assumed<T = bigint> {
  readonly value: T;
  /** What it rests on, as part of a sentence. */
  readonly assumption: string;
}

/** Storage that the recording lacks, by account and slot. @returns why it is not known; undefined where it was not read */
export type OtherStorage = (address: string, slot: bigint) => bigint | Assumed | string | undefined;

/** As `OtherStorage`: accounts that the recording lacks. */
export type OtherAccount = (address: string) => Account | Assumed<Account> | string | undefined;
