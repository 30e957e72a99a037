import type { Address, Hex } from '../../../api/primitives';

/** Something that is read from the state at a point of a chain. */
export type StateRead =
  | { readonly kind: 'call'; readonly address: Address; readonly data: Hex }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: Hex }
  | { readonly kind: 'balance' | 'code' | 'nonce'; readonly address: Address };

/** Undefined: a call that fails. */
export type StateAnswer = Hex | undefined;

/** The state at one point of a chain. */
export interface StateReader {
  /** @returns one answer for each read, in order */
  read(reads: readonly StateRead[], signal: AbortSignal): Promise<readonly StateAnswer[]>;
}

/** Equal for equal reads. */
export const keyOfRead = (read: StateRead): string =>
  `${read.kind} ${read.address} ${'data' in read ? read.data : 'slot' in read ? read.slot : ''}`;
