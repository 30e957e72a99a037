import type { Network, TokenFacts, TokenFactsSource } from '../analysis/ports';
import type { Address } from '../api/primitives';
import type { KnownContracts } from './known-contracts';

/** Adds what lists say about tokens that do not answer themselves. A token's own answer takes precedence. */
export class ListedTokens implements TokenFactsSource {
  constructor(
    private readonly chain: TokenFactsSource,
    private readonly known: Pick<KnownContracts, 'token'>,
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
      if (own?.symbol !== undefined && own.decimals !== undefined) continue;
      const listed = await this.known.token(network, token);
      if (listed) facts.set(token, { ...listed, ...own, isListed: true });
    }
    return facts;
  }
}
