import type { Hardfork } from '../api/config';
import { isSince } from './hardfork-order';

/** EIP-7825, part of Osaka. */
const OSAKA_LIMIT = 2 ** 24;
/** Chains that adopted EIP-7825 with another limit: Polygon and its test network (Madhugiri). */
const OWN_LIMITS: ReadonlyMap<number, number> = new Map([
  [137, 2 ** 25],
  [80_002, 2 ** 25],
]);

/** Most gas that one transaction may have; undefined before Osaka. @param rules chain and hardfork of its block */
export function maxTransactionGas(rules: {
  chainId: number;
  hardfork: Hardfork;
}): number | undefined {
  if (!isSince(rules.hardfork, 'osaka')) return undefined;
  return OWN_LIMITS.get(rules.chainId) ?? OSAKA_LIMIT;
}
