import type { Hardfork } from '../../server/api/config';
import type { BlockRules } from '../../server/evm/rules/block-rules';

/** Rules of Ethereum that are certain. */
export const certainRules = (hardfork: Hardfork): BlockRules => ({
  chainId: 1,
  hardfork,
  extraPrecompiles: [],
  warnings: [],
  isGuess: false,
});
