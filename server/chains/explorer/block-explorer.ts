import type { Activity } from '../../api/activity';
import type {
  AddressTransactions,
  BlockTransactions,
  ChainHealth,
  ListedBlock,
  ListedBlocks,
  MethodName,
} from '../../api/chain-explorer';
import type { LabelSource, Network } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import type { BlockWithHashes } from '../../evm/forms/block-header';
import { RpcError, requestEach } from '../../evm/forms/json-rpc';
import { entriesOf } from '../../evm/forms/plain-answers';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import { checkEndpoint } from '../upstream/check-endpoint';
import { addressOfName } from './ens-names';
import { activitySince } from './chain-activity';
import { transactionsOfAddress } from './address-transactions';
import { labelsAmong, receiptsOf, selectorsOf, transactionOf } from './listed-transaction';

export interface BlockExplorerPorts {
  networks: SimulationNetworks;
  userLabels: LabelSource;
  /** Names of functions by selector. */
  methodNames: (selectors: ReadonlySet<Hex>) => Promise<ReadonlyMap<Hex, MethodName>>;
  /** Milliseconds. */
  now: () => number;
}

type Abilities = Pick<ChainHealth, 'client' | 'stateDepth' | 'debugApi'>;

/** What a node can do is asked again after this time. */
const ABILITIES_MS = 600_000;

/** Lists the blocks of a chain or fork, and their transactions. */
export class BlockExplorer {
  readonly #abilities = new Map<string, { until: number; answer: Promise<Abilities> }>();

  constructor(private readonly ports: BlockExplorerPorts) {}

  /** @throws ApiError `chainNotFound`, `upstreamUnreachable`, `upstreamLacksData`, `timedOut` */
  async health(chain: string, signal: AbortSignal): Promise<ChainHealth> {
    const start = this.ports.now();
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const latencyMs = Math.round(this.ports.now() - start);
    const { client, stateDepth, debugApi } = await this.#abilitiesOf(network);
    return {
      chain,
      head: Number(block.number),
      timestamp: Number(block.timestamp),
      latencyMs,
      client,
      stateDepth,
      debugApi,
    };
  }

  /** @throws ApiError as `health` */
  async blocks(
    chain: string,
    { before, limit }: { before?: number | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<ListedBlocks> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const head = Number(block.number);
    const newest = Math.min(head, (before ?? head + 1) - 1);
    const count = Math.max(0, Math.min(limit, newest + 1));
    const calls = Array.from({ length: count }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(newest - index), false],
    }));
    const answers = (await requestEach(network.rpc, calls, {
      signal,
    })) as (BlockWithHashes | null)[];
    const blocks = answers.flatMap((one) => (one === null ? [] : [listed(one)]));
    const oldest = newest - count;
    return { head, blocks, next: oldest >= 0 && count > 0 ? oldest + 1 : null };
  }

  /**
   * @param reference block number, decimal or hex, or block hash
   * @throws ApiError `blockNotFound`, and as `health`
   */
  async transactions(
    chain: string,
    reference: string,
    { from = 0, limit }: { from?: number | undefined; limit: number },
    user: string,
    signal: AbortSignal,
  ): Promise<BlockTransactions> {
    const { network } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const block = await blockAt(network, reference, signal);
    const end = from + limit;
    const shown = block.transactions.slice(from, end);
    const [receipts, methods, labels] = await Promise.all([
      receiptsOf(network.rpc, shown, signal),
      this.ports.methodNames(selectorsOf(shown)),
      this.#labelsOf(network, user),
    ]);
    const transactions = shown.map((one, index) =>
      transactionOf(one, from + index, receipts[index], methods),
    );
    return {
      block: listed({ ...block, transactions: block.transactions.map(({ hash }) => hash) }),
      nativeSymbol: network.nativeSymbol,
      labels: labelsAmong(labels, transactions),
      transactions,
      next: end < block.transactions.length ? end : null,
    };
  }

  /** @throws ApiError `invalidField`, and as `health` */
  async addressOfName(
    chain: string,
    name: string,
    signal: AbortSignal,
  ): ReturnType<typeof addressOfName> {
    const { network } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    return addressOfName(network, name, signal);
  }

  /** @throws ApiError as `health` */
  async addressTransactions(
    chain: string,
    address: Address,
    page: { before?: number | undefined; limit: number },
    user: string,
    signal: AbortSignal,
  ): Promise<AddressTransactions> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const labels = await this.#labelsOf(network, user);
    const named = { ...network, labels };
    const below = { ...page, head: Number(block.number) };
    return transactionsOfAddress(named, address, below, this.ports.methodNames, signal);
  }

  /** @throws ApiError as `health` */
  async activity(
    chain: string,
    request: Parameters<typeof activitySince>[2],
    user: string,
    signal: AbortSignal,
  ): Promise<Activity> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const labels = await this.#labelsOf(network, user);
    return activitySince({ ...network, labels }, block, request, this.ports.methodNames, signal);
  }

  #abilitiesOf(network: Network): Promise<Abilities> {
    const { key, rpc } = network;
    const now = this.ports.now();
    const known = this.#abilities.get(key);
    if (known !== undefined && now < known.until) return known.answer;
    const asked = checkEndpoint(rpc, this.ports.now).then(
      ({ client, stateDepth, debugApi }) => ({ client, stateDepth, debugApi }),
      () => {
        this.#abilities.delete(key);
        return { client: '', stateDepth: null, debugApi: null };
      },
    );
    this.#abilities.set(key, { until: now + ABILITIES_MS, answer: asked });
    return asked;
  }

  async #labelsOf(network: Network, user: string): Promise<Record<Address, string>> {
    const own = await this.ports.userLabels.labelsOf(user, [
      ...new Set([network.chain ?? network.key, network.key]),
    ]);
    return { ...network.labels, ...own };
  }
}

async function blockAt(
  { rpc, key }: Network,
  reference: string,
  signal: AbortSignal,
): Promise<RpcBlock> {
  const isHash = reference.length === 66;
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
  const at = isHash ? reference.toLowerCase() : toQuantity(BigInt(reference));
  const block = (await rpc.request(method, [at, true], { signal }).catch((error: unknown) => {
    if (error instanceof RpcError) return null; // so some nodes report a block that they lack
    throw error;
  })) as RpcBlock | null;
  if (block === null) throw new ApiError('blockNotFound', `${key} has no block ${reference}`);
  return { ...block, transactions: entriesOf(block) };
}

const listed = (block: BlockWithHashes): ListedBlock => ({
  number: Number(block.number),
  hash: block.hash,
  timestamp: Number(block.timestamp),
  transactionCount: block.transactions.length,
  gasUsed: Number(block.gasUsed),
  gasLimit: Number(block.gasLimit),
});
