import type { Hardfork } from '../api/config';
import { isSince } from './hardfork-order';

/** Number of the last precompiled contract, by the hardfork that added it (execution-specs). */
const LAST: readonly (readonly [Hardfork, number])[] = [
  ['prague', 0x11],
  ['cancun', 0xa],
  ['istanbul', 0x9],
  ['byzantium', 0x8],
  ['frontier', 0x4],
];
/** EIP-7951. */
const P256_VERIFY = 0x100;

const lastOf = (hardfork: Hardfork): number =>
  LAST.find(([first]) => isSince(hardfork, first))?.[1] ?? 4;

const toAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

/** The addresses of the precompiled contracts of a hardfork, in lower case. */
export function precompilesOf(hardfork: Hardfork): string[] {
  const numbered = Array.from({ length: lastOf(hardfork) }, (_, index) => toAddress(index + 1));
  return isSince(hardfork, 'osaka') ? [...numbered, toAddress(P256_VERIFY)] : numbered;
}

/** Whether an address is a precompiled contract of a hardfork. */
export function isPrecompile(address: string, hardfork: Hardfork): boolean {
  const number = BigInt(address);
  if (number === BigInt(P256_VERIFY)) return isSince(hardfork, 'osaka');
  return number > 0n && number <= BigInt(lastOf(hardfork));
}
