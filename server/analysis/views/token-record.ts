import type { InvocationFlow } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import type { TokenFacts } from '../ports';

/** Facts of tokens in the view's form, by address: of those of which something is known. */
export function tokenRecord(
  tokens: ReadonlyMap<Address, TokenFacts>,
): Pick<InvocationFlow, 'tokens'> {
  const known = [...tokens].filter(
    ([, { symbol, decimals }]) => symbol !== undefined || decimals !== undefined,
  );
  if (known.length === 0) return {};
  const entries = known.map(
    ([address, { symbol, decimals, isListed, disputedDecimals, imitates }]) => [
      address,
      {
        ...(symbol !== undefined && { symbol }),
        ...(decimals !== undefined && { decimals }),
        source: isListed ? ('list' as const) : ('chain' as const),
        ...(disputedDecimals && { disputedDecimals }),
        ...(imitates !== undefined && { imitates }),
      },
    ],
  );
  return { tokens: Object.fromEntries(entries) as NonNullable<InvocationFlow['tokens']> };
}
