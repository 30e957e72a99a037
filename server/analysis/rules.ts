import type { Hardfork } from '../api/config';
import { hardforkAt } from '../rules/hardfork';
import { isSince } from '../rules/hardforks';
import type { RpcBlockHeader } from '../ethereum/types';
import { hardforkOfHeader } from '../rules/intrinsic-gas';
import type { Network } from './ports';

/**
 * Hardfork of a block: the chain's, as configured or by its activation table, or the one that the header proves if that is newer.
 * Undefined if neither is known.
 */
export function rulesOf(
  { key, chainId, hardfork }: Pick<Network, 'key' | 'chainId' | 'hardfork'>,
  block: RpcBlockHeader,
): Hardfork | undefined {
  const place = { number: Number(block.number), timestamp: Number(block.timestamp) };
  const known = hardforkAt({ slug: key, chainId, ...(hardfork && { hardfork }) }, place);
  const proved = hardforkOfHeader(block);
  if (known.warning !== undefined) return proved;
  return proved !== undefined && isSince(proved, known.hardfork) ? proved : known.hardfork;
}
