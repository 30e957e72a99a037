import type { Address } from '../../api/primitives';
import type { TokenFacts } from '../ports';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** Tokens of the transaction that answer other decimals than the list of their chain, with the first call or event of each. */
export const disputedTokens = (
  { steps }: Pick<Scene, 'steps'>,
  tokens: ReadonlyMap<Address, TokenFacts>,
): Finding[] =>
  [...tokens].flatMap(([contract, { disputedDecimals: decimals }]) => {
    if (!decimals) return [];
    const first = steps.find(({ frame, log }) => (log?.address ?? frame.to) === contract);
    return { kind: 'decimalsDisputed', contract, decimals, nodeIds: first ? [first.id] : [] };
  });
