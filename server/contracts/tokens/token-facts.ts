import { LRUCache } from 'lru-cache';
import type { Address } from '../../api/primitives';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { VIEW_GAS } from '../../evm/forms/view-gas';
import type { Network, TokenFacts, TokenFactsSource } from '../../analysis/ports';
import { readDecimals, readSymbol } from './read-token-facts';

const DECIMALS_CALL = '0x313ce567'; // decimals()
const SYMBOL_CALL = '0x95d89b41'; // symbol()
const CACHED_TOKENS = 20_000;

type Outcome = PromiseSettledResult<unknown>;

/** Reads decimals and symbols of tokens by calls. Missing and invalid answers count as unknown. */
export class RpcTokenFacts implements TokenFactsSource {
  readonly #cache = new LRUCache<string, TokenFacts>({ max: CACHED_TOKENS });

  async factsOf(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, TokenFacts>> {
    const facts = new Map<Address, TokenFacts>();
    const asked: Address[] = [];
    for (const token of tokens) {
      const known = this.#cache.get(cacheKey(network, token));
      if (known) facts.set(token, known);
      else asked.push(token);
    }
    if (asked.length === 0) return facts;
    const outcomes = await this.#ask(network, asked, block, signal);
    for (const [index, token] of asked.entries()) {
      const [decimals, symbol] = outcomes.slice(index * 2);
      const read = readFacts(decimals, symbol);
      facts.set(token, read);
      if (isFinal(decimals) && isFinal(symbol)) this.#cache.set(cacheKey(network, token), read);
    }
    return facts;
  }

  /** Two outcomes per token; empty if the node does not answer at all. */
  async #ask(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    const calls = tokens.flatMap((to) =>
      [DECIMALS_CALL, SYMBOL_CALL].map((data) => ({
        method: 'eth_call',
        params: [{ to, data, gas: VIEW_GAS }, toQuantity(block)],
      })),
    );
    try {
      return await network.rpc.requestAll(calls, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      return [];
    }
  }
}

function readFacts(decimals: Outcome | undefined, symbol: Outcome | undefined): TokenFacts {
  const number = decimals?.status === 'fulfilled' ? readDecimals(decimals.value) : undefined;
  const text = symbol?.status === 'fulfilled' ? readSymbol(symbol.value) : undefined;
  return {
    ...(number === undefined ? {} : { decimals: number }),
    ...(text === undefined ? {} : { symbol: text }),
  };
}

/** Whether the token itself answered, by a value or a revert, and would return the same again. An unavailable node may be back soon. */
const isFinal = (outcome: Outcome | undefined): boolean =>
  outcome?.status === 'fulfilled' || outcome?.reason instanceof RpcError;

const cacheKey = (network: Network, token: Address): string => `${network.key} ${token}`;
