import {
  unlistedName,
  type Network,
  type TokenFacts,
  type TokenFactsSource,
} from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import type { KnownContracts } from './known-contracts';

/**
 * Adds what lists say about tokens that do not answer themselves, and marks symbols that imitate a listed token at another address. A token's own answer takes precedence, except for decimals: where the
 * two differ, the token has none.
 */
export class ListedTokens implements TokenFactsSource {
  constructor(
    private readonly chain: TokenFactsSource,
    private readonly known: Pick<KnownContracts, 'token' | 'imitated'>,
  ) {}

  async factsOf(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, TokenFacts>> {
    const facts = new Map(await this.chain.factsOf(network, tokens, block, signal));
    for (const token of tokens) {
      const own = facts.get(token);
      const listed = await this.known.token(network, token);
      if (!listed) {
        const imitated =
          own?.symbol === undefined
            ? undefined
            : await this.known.imitated(network, token, own.symbol);
        if (own && imitated !== undefined) facts.set(token, unlisted(own, imitated));
        continue;
      }
      if (own?.decimals !== undefined && own.decimals !== listed.decimals) {
        facts.set(token, disputed(own, own.decimals, listed));
      } else if (own?.symbol === undefined || own.decimals === undefined) {
        facts.set(token, { ...listed, ...own, isListed: true });
      }
    }
    return facts;
  }
}

const unlisted = (own: TokenFacts, imitated: string): TokenFacts => ({
  ...own,
  symbol: unlistedName(own.symbol ?? ''),
  imitates: imitated,
});

const disputed = (
  { symbol }: TokenFacts,
  own: number,
  listed: { readonly symbol: string; readonly decimals: number },
): TokenFacts => ({
  symbol: symbol ?? listed.symbol,
  ...(symbol === undefined && { isListed: true as const }),
  disputedDecimals: { own, listed: listed.decimals },
});
