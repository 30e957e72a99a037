import { getCreateAddress } from 'ethers';
import type { Address, Hex } from '../../../server/api/primitives';
import { BOB, contract, type AdversarialCase, type Sent } from '../adversarial/case';
import { at, inMemory, sizeOf } from '../assembler';

/** A program whose recording is compared with the reference at each step. */
export interface AmsterdamProgram {
  readonly name: string;
  readonly accounts?: AdversarialCase['accounts'];
  /** The last one is judged. */
  readonly sent: readonly Sent[];
  /** How it ends: `returned`, `reverted`, or why it halts. */
  readonly ends: string;
}

export const X = at('x');
export const R = at('r');
export const NEW = at('new');
export const child = getCreateAddress({ from: X, nonce: 1 }).toLowerCase() as Address;

/** What a call of a contract costs before its first instruction (EIP-2780). */
export const CALL = 15_000;
export const [SLOT, ACCOUNT] = [64 * 1_530, 120 * 1_530];
/** Gas that is for state alone begins here (EIP-7825). */
export const LIMIT = 2 ** 24;

export const calling = (gasLimit: number, more: object = {}): readonly Sent[] => [
  [BOB, { to: X, gasLimit, ...more }],
];
export const one = (
  name: string,
  program: string,
  sent: readonly Sent[],
  ends = 'returned',
  others: AdversarialCase['accounts'] = {},
): AmsterdamProgram => ({ name, accounts: { ...others, [X]: contract(program, 5) }, sent, ends });

/** Pushes gas that is left into memory, so that the caller's next steps show it. */
export const noteGas = 'gas 0 mstore';
export const createOf = (init: Hex, value = 0): string =>
  `${inMemory(init)} ${sizeOf(init)} 0 ${value} create`;
