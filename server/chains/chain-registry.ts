import { chainSchema, type Chain, type PublicChain } from '../api/config';
import type { Endpoint } from '../api/endpoint';
import { chainNotFound, invalidField } from '../api/errors';
import { DEFAULT_CHAINS } from './default-chains';

/** The chains that can be forked and analyzed: the configured ones in their order, then the well-known ones that are not configured. */
export class ChainRegistry {
  readonly #bySlug: Map<string, Chain>;
  /** What stands in `#bySlug` without the endpoints that were added. */
  readonly #original: ReadonlyMap<string, Chain>;
  readonly #configured: ReadonlySet<string>;

  /** @param configured an entry replaces the well-known chain of the same slug; what it leaves out is taken from there */
  constructor(configured: readonly Chain[], known: readonly Chain[] = DEFAULT_CHAINS) {
    const bySlug = new Map<string, Chain>();
    for (const chain of configured) bySlug.set(chain.slug, withKnown(chain, known));
    for (const chain of known) if (!bySlug.has(chain.slug)) bySlug.set(chain.slug, chain);
    this.#bySlug = bySlug;
    this.#original = new Map(bySlug);
    this.#configured = new Set(configured.map(({ slug }) => slug));
  }

  /** @throws ApiError chainNotFound, with the slugs that are configured */
  bySlug(slug: string): Chain {
    const chain = this.#bySlug.get(slug);
    if (!chain) throw chainNotFound(slug, [...this.#bySlug.keys()]);
    return chain;
  }

  has(slug: string): boolean {
    return this.#bySlug.has(slug);
  }

  /**
   * The first chain of an id; several private chains may share one.
   * @throws ApiError invalidField, with the ids that are configured
   */
  byChainId(chainId: number): Chain {
    const chains = [...this.#bySlug.values()];
    const chain = chains.find((one) => one.chainId === chainId);
    if (chain) return chain;
    const ids = [...new Set(chains.map((one) => one.chainId))].join(', ');
    throw invalidField('chainId', chainId, `the id of a configured chain: ${ids}`);
  }

  /**
   * Puts an endpoint in front of a chain's own, or makes a chain of it. One endpoint per chain: another takes its place.
   * @throws ApiError invalidField where the slug is another chain's
   */
  addEndpoint({ slug, chainId, url }: Endpoint): void {
    const chain = this.#original.get(slug);
    if (chain && chain.chainId !== chainId) {
      const twins = [...this.#original.values()].filter((other) => other.chainId === chainId);
      const accepted = [...twins.map((twin) => twin.slug), 'a new name'].join(', ');
      throw invalidField('slug', slug, `for chain id ${chainId}: ${accepted}`);
    }
    this.#bySlug.set(
      slug,
      chain
        ? { ...chain, rpcUrls: [url, ...chain.rpcUrls] }
        : chainSchema.parse({ slug, chainId, rpcUrls: [url] }),
    );
  }

  /** Takes back what was added; nothing happens where nothing was. */
  removeEndpoint(slug: string): void {
    const chain = this.#original.get(slug);
    if (chain) this.#bySlug.set(slug, chain);
    else this.#bySlug.delete(slug);
  }

  /** Whether somebody named an endpoint for the chain; else it has public ones of other people. */
  isConfigured(slug: string): boolean {
    return this.#configured.has(slug) || this.#bySlug.get(slug) !== this.#original.get(slug);
  }

  /** What clients are told: no endpoints. */
  list(): PublicChain[] {
    return [...this.#bySlug.values()].map(
      ({ slug, chainId, name = slug, nativeSymbol, blockExplorerUrl }) => ({
        slug,
        chainId,
        name,
        nativeSymbol,
        ...(blockExplorerUrl === undefined ? {} : { blockExplorerUrl }),
      }),
    );
  }
}

/** Someone who configures `eth` with an endpoint of their own need not repeat what Ethereum is. */
function withKnown(chain: Chain, known: readonly Chain[]): Chain {
  const twin = known.find(({ slug, chainId }) => slug === chain.slug && chainId === chain.chainId);
  if (!twin) return chain;
  // ETH is what the schema puts where the config file says nothing.
  const nativeSymbol = chain.nativeSymbol === 'ETH' ? twin.nativeSymbol : chain.nativeSymbol;
  return { ...twin, ...chain, nativeSymbol };
}
