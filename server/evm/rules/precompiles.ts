import type { Hardfork } from '../../api/config';
import { isSince, type ExecutedHardfork } from '../forms/hardfork-order';

/** Number of the last precompiled contract, by the hardfork that added it (execution-specs). */
const LAST: readonly (readonly [Hardfork, number])[] = [
  ['prague', 0x11],
  ['cancun', 0xa],
  ['istanbul', 0x9],
  ['byzantium', 0x8],
  ['frontier', 0x4],
];
const P256_NUMBER = 0x100;
/** Address of P256VERIFY (EIP-7951; RIP-7212 on rollups before Osaka). */
export const P256_VERIFY = '0x0000000000000000000000000000000000000100';

const lastOf = (hardfork: ExecutedHardfork): number =>
  LAST.find(([first]) => isSince(hardfork, first))?.[1] ?? 4;

const toAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

/**
 * The addresses of the precompiled contracts of a hardfork, in lower case.
 * @param extra further ones of the chain
 */
export function precompilesOf(hardfork: ExecutedHardfork, extra: readonly string[] = []): string[] {
  const numbered = Array.from({ length: lastOf(hardfork) }, (_, index) => toAddress(index + 1));
  if (isSince(hardfork, 'osaka')) numbered.push(P256_VERIFY);
  return numbered.concat(extra);
}

/**
 * Whether an address is a precompiled contract of a hardfork.
 * @param extra further ones of the chain, in lower case
 */
export function isPrecompile(
  address: string,
  hardfork: ExecutedHardfork,
  extra: readonly string[] = [],
): boolean {
  const number = BigInt(address);
  if (number === BigInt(P256_NUMBER) && isSince(hardfork, 'osaka')) return true;
  if (number > 0n && number <= BigInt(lastOf(hardfork))) return true;
  return extra.includes(address.toLowerCase());
}
