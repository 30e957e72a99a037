import type { Hardfork } from '../api/config';
import { isSince } from './hardforks';

/** The last of the precompiled contracts, by the hardfork that brought it (execution-specs). */
const LAST: readonly (readonly [Hardfork, number])[] = [
  ['prague', 0x11],
  ['cancun', 0xa],
  ['istanbul', 0x9],
  ['byzantium', 0x8],
  ['frontier', 0x4],
];
/** EIP-7951. */
const P256_VERIFY = 0x100;

const toAddress = (place: number): string => `0x${place.toString(16).padStart(40, '0')}`;

/** The precompiled contracts of a hardfork: addresses in lower case. */
export function precompilesOf(hardfork: Hardfork): string[] {
  const [, last] = LAST.find(([first]) => isSince(hardfork, first)) ?? ['frontier', 4];
  const first = Array.from({ length: last }, (_, index) => toAddress(index + 1));
  return isSince(hardfork, 'osaka') ? [...first, toAddress(P256_VERIFY)] : first;
}
