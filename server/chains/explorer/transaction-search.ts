import { searchTargets, type SearchTarget } from './search-targets';
import type { Chain, PublicChain } from '../../api/config';
import type { Fork } from '../../api/fork';
import type { FoundTransactions } from '../../api/lookup';
import type { Hash } from '../../api/primitives';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { Forks } from '../../forks/life/forks';

export interface TransactionSearchOptions {
  chains: {
    bySlug(slug: string): Chain;
    list(): PublicChain[];
    isConfigured(slug: string): boolean;
  };
  upstreamOf: (chain: Chain) => RpcClient;
  forks: Forks;
}

/** Finds the chain or fork that contains a transaction. */
export class TransactionSearch {
  constructor(private readonly options: TransactionSearchOptions) {}

  /**
   * @param forks the forks to search; the search wakes them
   * @param slugs undefined: all chains with a configured endpoint. A hash is never sent to a public endpoint unless its chain is listed.
   * @throws ApiError `chainNotFound` for a slug that is not configured
   */
  async find(
    hash: Hash,
    forks: readonly Fork[],
    slugs: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<FoundTransactions> {
    const { chains } = this.options;
    const all = chains.list().map(({ slug }) => slug);
    const wanted = slugs ?? all.filter((slug) => chains.isConfigured(slug));
    const targets = [
      ...(await Promise.all(forks.map((fork) => this.#forkTarget(fork)))),
      ...wanted.map((slug) => this.#chainTarget(chains.bySlug(slug))),
    ];
    const found = await searchTargets(hash, targets, signal);
    const notAsked = slugs ? [] : all.filter((slug) => !wanted.includes(slug));
    return { ...found, notAsked };
  }

  async #forkTarget({ forkId, name }: Fork): Promise<SearchTarget> {
    const { engine, originalHead } = await this.options.forks.networkOf(forkId);
    return { kind: 'fork', chain: forkId, name, rpc: engine, originalHead };
  }

  #chainTarget(chain: Chain): SearchTarget {
    const { slug, name = slug } = chain;
    return { kind: 'chain', chain: slug, name, rpc: this.options.upstreamOf(chain) };
  }
}
