import { chainSchema, type Chain, type PublicChain } from '../../api/config';
import type { Endpoint } from '../../api/endpoint';
import { chainNotFound, invalidField } from '../../api/errors';
import { DEFAULT_CHAINS } from './default-chains';

/** The chains that can be forked and analyzed: the configured ones in their order, then the other well-known ones. */
export class ChainRegistry {
  readonly #bySlug: Map<string, Chain>;
  /** The content of `#bySlug` without added endpoints. */
  readonly #original: ReadonlyMap<string, Chain>;
  readonly #configured: ReadonlySet<string>;
  readonly #unlisted = new Set<string>();

  /** @param configured an entry replaces the well-known chain of the same slug; missing fields are taken from that chain */
  constructor(configured: readonly Chain[], known: readonly Chain[] = DEFAULT_CHAINS) {
    const bySlug = new Map<string, Chain>();
    for (const chain of configured) bySlug.set(chain.slug, withKnown(chain, known));
    for (const chain of known) if (!bySlug.has(chain.slug)) bySlug.set(chain.slug, chain);
    this.#bySlug = bySlug;
    this.#original = new Map(bySlug);
    this.#configured = new Set(configured.map(({ slug }) => slug));
  }

  /** @throws ApiError `chainNotFound`, with the configured slugs */
  bySlug(slug: string): Chain {
    const chain = this.#bySlug.get(slug);
    if (!chain) throw chainNotFound(slug, [...this.#bySlug.keys()]);
    return chain;
  }

  has(slug: string): boolean {
    return this.#bySlug.has(slug);
  }

  /**
   * The first chain with an id; several private chains may share one.
   * @throws ApiError `invalidField`, with the configured ids
   */
  byChainId(chainId: number): Chain {
    const chains = [...this.#bySlug.values()];
    const chain = chains.find((one) => one.chainId === chainId);
    if (chain) return chain;
    const ids = [...new Set(chains.map((one) => one.chainId))].join(', ');
    throw invalidField('chainId', chainId, `the id of a configured chain: ${ids}`);
  }

  /**
   * Adds an endpoint before a chain's own ones, or creates a chain with it. A chain has at most one added endpoint; a new one replaces it.
   * @throws ApiError `invalidField` if the slug belongs to a chain with another id
   */
  addEndpoint({ slug, chainId, url, headers }: Endpoint): void {
    const chain = this.#original.get(slug);
    if (chain && chain.chainId !== chainId) {
      const sameIdChains = [...this.#original.values()].filter(
        (other) => other.chainId === chainId,
      );
      const accepted = [...sameIdChains.map(({ slug }) => slug), 'an unused slug'].join(', ');
      throw invalidField('slug', slug, `for chain id ${chainId}: ${accepted}`);
    }
    const endpoint = headers === undefined ? url : { url, headers };
    this.#bySlug.set(
      slug,
      chain
        ? { ...chain, rpcUrls: [endpoint, ...chain.rpcUrls] }
        : chainSchema.parse({ slug, chainId, rpcUrls: [endpoint] }),
    );
  }

  /** Removes an added endpoint. Does nothing if there is none. */
  removeEndpoint(slug: string): void {
    const chain = this.#original.get(slug);
    if (chain) this.#bySlug.set(slug, chain);
    else this.#bySlug.delete(slug);
  }

  /**
   * Adds a chain that has no endpoint, since something in this process answers for it.
   * @param isListed whether clients get to know it
   */
  addChain(chain: Chain, { isListed = true }: { isListed?: boolean } = {}): void {
    this.#bySlug.set(chain.slug, chain);
    if (!isListed) this.#unlisted.add(chain.slug);
  }

  /** Removes a chain that `addChain` added. */
  removeChain(slug: string): void {
    this.#bySlug.delete(slug);
    this.#unlisted.delete(slug);
  }

  /** Whether an endpoint of the chain was configured or added; otherwise its endpoints are public ones of third parties. */
  isConfigured(slug: string): boolean {
    return this.#configured.has(slug) || this.#bySlug.get(slug) !== this.#original.get(slug);
  }

  /** The chains without their endpoints, for clients. */
  list(): PublicChain[] {
    const listed = [...this.#bySlug.values()].filter(({ slug }) => !this.#unlisted.has(slug));
    return listed.map(({ slug, chainId, name = slug, nativeSymbol, blockExplorerUrl }) => ({
      slug,
      chainId,
      name,
      nativeSymbol,
      ...(blockExplorerUrl === undefined ? {} : { blockExplorerUrl }),
      ...(this.isConfigured(slug) && { hasOwnEndpoint: true as const }),
    }));
  }
}

/** Completes a configured chain: a configuration of `eth` with an own endpoint need not repeat Ethereum's facts. */
function withKnown(chain: Chain, known: readonly Chain[]): Chain {
  const sameChain = known.find(
    ({ slug, chainId }) => slug === chain.slug && chainId === chain.chainId,
  );
  if (!sameChain) return chain;
  // The schema's default is ETH.
  const nativeSymbol = chain.nativeSymbol === 'ETH' ? sameChain.nativeSymbol : chain.nativeSymbol;
  return { ...sameChain, ...chain, nativeSymbol };
}
