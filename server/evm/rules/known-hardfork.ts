import type { RpcBlockHeader } from '../forms/types';
import { blockRules, type RuledChain } from './block-rules';
import type { ExecutedHardfork } from '../forms/hardfork-order';
import { headerFields } from './header-fields';

/**
 * Hardfork of a block: the chain's, as configured or by its activation table, or the one that the header proves if that is newer.
 * Undefined if neither is known, and for rules that this version does not know.
 */
export function rulesOf(chain: RuledChain, block: RpcBlockHeader): ExecutedHardfork | undefined {
  const { hardfork, isGuess, later, refusal } = blockRules(chain, block);
  if (later !== undefined) return later;
  if (refusal !== undefined) return undefined;
  return isGuess ? headerFields(block).proved : hardfork;
}
