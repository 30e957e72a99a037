import type { Network, NetworkResolver } from '../../analysis/ports';
import type { SimulationNetworks, SimulationBlock } from '../../analysis/simulation/simulation';
import type { Chain } from '../../api/config';
import { ApiError } from '../../api/errors';
import { heightAboveHead } from '../../api/height';
import type { Address, Hash } from '../../api/primitives';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { entriesOf } from '../../evm/forms/plain-answers';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import type { Forks } from '../../forks/life/forks';

export interface NetworkDirectoryOptions {
  chains: { bySlug(slug: string): Chain; has(slug: string): boolean };
  upstreamOf: (chain: Chain) => RpcClient;
  forks: Forks;
  /** The built-in chain, if the service runs it, with labels for its accounts and contracts. */
  sandbox: { chain: Chain; labels: Readonly<Record<Address, string>> } | undefined;
  /** Labels of addresses on all chains. */
  labels?: Readonly<Record<Address, string>>;
  /** Whether the blocks of the chains are those of a fork, as in a case file about one. */
  hasForkBlocks?: boolean | undefined;
}

interface WrittenHeight {
  readonly height: string;
  /** Its name in errors; default: height. */
  readonly field?: string | undefined;
}

/** Finds the node for a transaction: the fork's engine for transactions made on a fork, else the chain's node. */
export class NetworkDirectory implements NetworkResolver, SimulationNetworks {
  constructor(private readonly options: NetworkDirectoryOptions) {}

  async resolve(name: string, hash: Hash, signal?: AbortSignal): Promise<Network> {
    const { chains, forks } = this.options;
    if (chains.has(name)) return this.#ofChain(chains.bySlug(name));
    const { chain, engine, hardfork, originalHead } = await forks.networkOf(name);
    const transaction = (await engine.request('eth_getTransactionByHash', [hash], {
      signal,
    })) as RpcTransaction | null;
    const blockNumber = transaction?.blockNumber ?? null;
    // Transactions replayed into the fork's first block belong to the chain and are traced there.
    if (blockNumber !== null && Number(blockNumber) <= originalHead) return this.#ofChain(chain);
    return { ...this.#facts(chain), key: name, hardfork, rpc: engine, replayable: false };
  }

  /**
   * How often a fork was reverted, without waking it; undefined for a chain, and where another node runs the fork.
   * @throws ApiError `forkNotFound`
   */
  async revertsOf(name: string): Promise<number | undefined> {
    const { chains, forks } = this.options;
    return chains.has(name) ? undefined : (await forks.networkOf(name)).reverts;
  }

  async at(
    name: string,
    { height, position = Infinity, field }: Parameters<SimulationNetworks['at']>[1],
    signal?: AbortSignal,
  ): Promise<SimulationBlock> {
    const { chains, forks } = this.options;
    if (chains.has(name)) {
      const network = this.#ofChain(chains.bySlug(name));
      return network.replayable
        ? this.#placeOn(network, { height, field }, signal)
        : this.#placeInCase(network, { height, field }, signal);
    }
    const { chain, engine, hardfork, originalHead } = await forks.networkOf(name);
    const fork = { ...this.#facts(chain), key: name, hardfork, rpc: engine, replayable: false };
    const head = Number(await engine.request('eth_blockNumber', [], { signal }));
    // Changes to a fork apply at its head and are never reorganized away, so its head is safe and finalized as well.
    if (height === 'earliest')
      return this.#placeOn(this.#ofChain(chain), { height, field }, signal);
    if (!height.startsWith('0x') || Number(height) === head) {
      const place = await this.#placeOn(fork, { height: 'latest' }, signal);
      const isInside = position < place.block.transactions.length;
      if (!isInside || head > originalHead) return { ...place, tag: 'latest' };
      return this.#placeOn(this.#ofChain(chain), { height: place.block.number }, signal); // the chain's own state
    }
    const own = Number(height) > originalHead;
    return this.#placeOn(own ? fork : this.#ofChain(chain), { height, field }, signal);
  }

  /** What was not recorded of a fork is simulated on an engine: there is no node for it. */
  async #placeInCase(
    network: Network,
    wanted: WrittenHeight,
    signal: AbortSignal | undefined,
  ): Promise<SimulationBlock> {
    const simulated = { ...network, replayable: true, standsForFork: true };
    const place = await this.#placeOn(simulated, wanted, signal);
    const head = await network.rpc.request('eth_blockNumber', [], { signal });
    return Number(head) === Number(place.block.number) ? { ...place, tag: 'latest' } : place;
  }

  /** @throws ApiError `invalidField` for a block above the head, `upstreamLacksData` */
  async #placeOn(
    network: Network,
    { height, field }: WrittenHeight,
    signal: AbortSignal | undefined,
  ): Promise<SimulationBlock> {
    // Not all chains have safe and finalized blocks.
    const tags = height === 'safe' || height === 'finalized' ? [height, 'latest'] : [height];
    for (const tag of tags) {
      const block = await blockAt(network, tag, signal);
      if (block) return { network, block, tag: block.number };
    }
    const head = (await network.rpc.request('eth_blockNumber', [], { signal })) as string;
    if (height.startsWith('0x') && BigInt(height) > BigInt(head)) {
      throw heightAboveHead(height, head, network.key, field);
    }
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${network.key} does not return block ${height}`,
    );
  }

  #ofChain(chain: Chain): Network {
    return {
      ...this.#facts(chain),
      key: chain.slug,
      rpc: this.options.upstreamOf(chain),
      replayable: this.options.hasForkBlocks !== true,
    };
  }

  #facts({
    slug,
    chainId,
    nativeSymbol,
    wrappedNative,
    hardfork,
  }: Chain): Omit<Network, 'key' | 'rpc' | 'replayable'> {
    const { sandbox, labels } = this.options;
    const own = slug === sandbox?.chain.slug ? sandbox.labels : {};
    return {
      chain: slug,
      chainId,
      nativeSymbol,
      wrappedNative,
      hardfork,
      labels: { ...own, ...labels },
    };
  }
}

async function blockAt(
  { rpc }: Network,
  tag: string,
  signal: AbortSignal | undefined,
): Promise<RpcBlock | null> {
  const plain = tag.startsWith('0x') ? toQuantity(BigInt(tag)) : tag;
  try {
    const block = (await rpc.request('eth_getBlockByNumber', [plain, true], {
      signal,
    })) as RpcBlock | null;
    return block && { ...block, transactions: entriesOf(block) };
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
