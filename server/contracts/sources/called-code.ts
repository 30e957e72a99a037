import { isCreation, type CallFrame } from '../../analysis/call-frame';
import type { Contract, CreationCode, Identification } from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import type { ExecutedCode } from './program-source';

/** Identifies a code in a transaction. */
export const keyOf = ({ address, code, isCreation }: ExecutedCode): string =>
  [address, isCreation, code].join();

const DELEGATION = '0xef0100'; // EIP-7702
/** In place of the account of a creation that failed. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}` as const;

/** The contract or creation code that runs in a frame. */
export function codeOf(
  frame: CallFrame,
  known: Identification,
): Contract | CreationCode | undefined {
  if (isCreation(frame)) return known.creations.get(frame.input);
  const address = codeAddress(frame, known);
  return address && known.contracts.get(address);
}

/** The account whose code a call executes: of a delegating account, its delegate. */
function codeAddress({ to }: CallFrame, { contracts }: Identification): Address | undefined {
  if (to === null) return undefined;
  const called = contracts.get(to);
  return called?.code?.startsWith(DELEGATION) ? called.implementation : to;
}

/** The code that a frame executes; undefined if it is unknown or empty. */
export function executedIn(frame: CallFrame, known: Identification): ExecutedCode | undefined {
  if (isCreation(frame)) {
    return { address: frame.to ?? ZERO_ADDRESS, code: frame.input, isCreation: true };
  }
  const address = codeAddress(frame, known);
  const code = address && known.contracts.get(address)?.code;
  if (address === undefined || code === undefined || code === '0x') return undefined;
  return { address, code, isCreation: false };
}
