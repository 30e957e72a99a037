import type { Network, NetworkResolver } from './analysis/ports';
import type { Chain } from './api/config';
import type { Address, Hash } from './api/primitives';
import type { RpcClient } from './ethereum/json-rpc';
import type { RpcTransaction } from './ethereum/types';
import type { Forks } from './forks/forks';

export interface NetworkDirectoryOptions {
  chains: { bySlug(slug: string): Chain; has(slug: string): boolean };
  upstreamOf: (chain: Chain) => RpcClient;
  forks: Forks;
  /** The built-in chain, where it is served: it names its accounts and contracts. */
  sandbox: { chain: Chain; labels: Readonly<Record<Address, string>> } | undefined;
}

/** Finds the node that holds a transaction: a chain's, or a fork's for what was made on it. */
export class NetworkDirectory implements NetworkResolver {
  constructor(private readonly options: NetworkDirectoryOptions) {}

  async resolve(name: string, hash: Hash, signal?: AbortSignal): Promise<Network> {
    const { chains, forks } = this.options;
    if (chains.has(name)) return this.#ofChain(chains.bySlug(name));
    const { chain, engine, originalHead } = await forks.networkOf(name);
    const transaction = (await engine.request('eth_getTransactionByHash', [hash], {
      signal,
    })) as RpcTransaction | null;
    const blockNumber = transaction?.blockNumber ?? null;
    // What was replayed into the fork's first block is the chain's own, and is traced there.
    if (blockNumber !== null && Number(blockNumber) <= originalHead) return this.#ofChain(chain);
    return { ...this.#facts(chain), key: name, rpc: engine, replayable: false };
  }

  #ofChain(chain: Chain): Network {
    return {
      ...this.#facts(chain),
      key: chain.slug,
      rpc: this.options.upstreamOf(chain),
      replayable: true,
    };
  }

  #facts({
    slug,
    chainId,
    nativeSymbol,
    wrappedNative,
    hardfork,
  }: Chain): Omit<Network, 'key' | 'rpc' | 'replayable'> {
    const { sandbox } = this.options;
    return {
      chainId,
      nativeSymbol,
      wrappedNative,
      hardfork,
      ...(slug === sandbox?.chain.slug ? { labels: sandbox.labels } : {}),
    };
  }
}
