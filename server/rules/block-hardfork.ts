import type { Hardfork } from '../api/config';
import { hardforkAt } from './hardfork';
import { isSince } from './hardforks';
import type { RpcBlockHeader } from '../ethereum/types';
import { hardforkOfHeader } from './intrinsic-gas';

/**
 * Hardfork of a block: the chain's, as configured or by its activation table, or the one that the header proves if that is newer.
 * Undefined if neither is known.
 * @param key slug of a configured chain, or any other text
 */
export function rulesOf(
  { key, chainId, hardfork }: { key: string; chainId: number; hardfork?: Hardfork | undefined },
  block: RpcBlockHeader,
): Hardfork | undefined {
  const place = { number: Number(block.number), timestamp: Number(block.timestamp) };
  const known = hardforkAt({ slug: key, chainId, ...(hardfork && { hardfork }) }, place);
  const proved = hardforkOfHeader(block);
  if (known.warning !== undefined) return proved;
  return proved !== undefined && isSince(proved, known.hardfork) ? proved : known.hardfork;
}
