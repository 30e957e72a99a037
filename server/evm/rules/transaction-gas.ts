import type { Hardfork } from '../../api/config';
import { knownChain } from '../families/known-chains';
import { isSince } from '../forms/hardfork-order';

/** EIP-7825, part of Osaka. */
const OSAKA_LIMIT = 2 ** 24;
/** Most gas that one transaction may have; undefined before Osaka. @param rules chain and hardfork of its block */
export function maxTransactionGas(rules: {
  chainId: number;
  hardfork: Hardfork;
}): number | undefined {
  if (!isSince(rules.hardfork, 'osaka')) return undefined;
  return knownChain(rules.chainId).maxTransactionGas ?? OSAKA_LIMIT;
}
