import { Interface } from 'ethers';
import { LRUCache } from 'lru-cache';
import { NATIVE_ASSET } from '../../api/explorer';
import type { Address, Hex } from '../../api/primitives';
import type { BlockTime, Network, Price, PriceSource } from '../../analysis/ports';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { CHAINLINK_FEEDS, type ChainFeeds } from './chainlink-feeds';

const FEED = new Interface([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function latestRoundData(address base, address quote) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function decimals(address base, address quote) view returns (uint8)',
]);
const ROUND = 'latestRoundData()';
const REGISTRY_ROUND = 'latestRoundData(address,address)';
/** The registry's identifier of USD: its ISO 4217 number. The identifier of ether is `NATIVE_ASSET`. */
const USD = '0x0000000000000000000000000000000000000348';

/** The longest heartbeat of a feed is one day; an older answer is abandoned. */
const MAX_AGE_SECONDS = 25 * 3600;
const MAX_DECIMALS = 36;
const CACHED_PRICES = 10_000;

interface Reading {
  readonly asset: Address;
  readonly quote: 'usd' | 'native';
  /** The call for the round, then the call for the decimals. */
  readonly calls: readonly [RpcCall, RpcCall];
}

interface Answer {
  readonly data: Hex | undefined;
  /** The chain answered, and would return the same again. */
  readonly final: boolean;
}

/** On-chain prices of Chainlink's feeds at the block. Requires only the chain itself. */
export class ChainlinkPrices implements PriceSource {
  /** `false`: there is no price. Missing answers of a node are not cached. */
  readonly #cache = new LRUCache<string, Price | false>({ max: CACHED_PRICES });

  constructor(private readonly feeds: ReadonlyMap<number, ChainFeeds> = CHAINLINK_FEEDS) {}

  async pricesAt(
    network: Network,
    assets: readonly Address[],
    block: BlockTime,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Price>> {
    const feeds = this.feeds.get(network.chainId);
    const prices = new Map<Address, Price>();
    if (!feeds) return prices;
    // After a revert, a fork may mine the same block number again with other contents: the timestamp distinguishes them.
    const keyOf = (asset: Address): string =>
      [network.key, block.number, block.timestamp, asset].join(' ');
    const unknown = assets.filter((asset) => !this.#cache.has(keyOf(asset)));
    const found = await readPrices(network, unknown, feeds, block, signal);
    for (const [asset, price] of found) this.#cache.set(keyOf(asset), price);
    for (const asset of assets) {
      const price = this.#cache.get(keyOf(asset));
      if (price) prices.set(asset, price);
    }
    return prices;
  }
}

/** Price of each asset, or `false` if it has none. Omits assets for which the node did not answer. */
async function readPrices(
  network: Network,
  assets: readonly Address[],
  feeds: ChainFeeds,
  block: BlockTime,
  signal: AbortSignal,
): Promise<Map<Address, Price | false>> {
  const found = new Map<Address, Price | false>();
  if (assets.length === 0) return found;
  const asked = feeds.registry === undefined ? assets : [NATIVE_ASSET as Address, ...assets];
  const readings = [...new Set(asked)].flatMap((asset) => readingsOf(asset, network, feeds, block));
  const answers = await ask(
    network,
    readings.flatMap(({ calls }) => calls),
    signal,
  );
  const uncertain = new Set<Address>();
  for (const [index, { asset, quote }] of readings.entries()) {
    const [round, decimals] = answers.slice(index * 2);
    if (!round?.final || !decimals?.final) uncertain.add(asset);
    const price = readPrice(round?.data, decimals?.data, block);
    const native = quote === 'usd' ? undefined : found.get(NATIVE_ASSET);
    if (!price || found.has(asset)) continue;
    if (quote === 'usd') found.set(asset, price);
    else if (native) found.set(asset, product(price, native));
  }
  for (const asset of assets) {
    if (!found.has(asset) && !uncertain.has(asset)) found.set(asset, false);
  }
  return found;
}

/** The asset's own feed, then the registry's in USD, then the registry's in ether. */
function readingsOf(
  asset: Address,
  network: Network,
  { native, tokens, registry, registryNames }: ChainFeeds,
  block: BlockTime,
): Reading[] {
  const isNative = asset === NATIVE_ASSET || asset === network.wrappedNative;
  const feed = isNative ? native : tokens?.[asset];
  const call = (to: Address, data: string): RpcCall => ({
    method: 'eth_call',
    params: [{ to, data }, toQuantity(block.number)],
  });
  const readings: Reading[] = [];
  if (feed !== undefined) {
    const encode = (name: string): string => FEED.encodeFunctionData(name);
    const calls = [call(feed, encode(ROUND)), call(feed, encode('decimals()'))] as const;
    readings.push({ asset, quote: 'usd', calls });
  }
  if (registry === undefined) return readings;
  const base = isNative ? NATIVE_ASSET : (registryNames?.[asset] ?? asset);
  for (const quote of isNative ? (['usd'] as const) : (['usd', 'native'] as const)) {
    const pair = [base, quote === 'usd' ? USD : NATIVE_ASSET];
    const encode = (name: string): string => FEED.encodeFunctionData(name, pair);
    const calls = [
      call(registry, encode(REGISTRY_ROUND)),
      call(registry, encode('decimals(address,address)')),
    ] as const;
    readings.push({ asset, quote, calls });
  }
  return readings;
}

async function ask(
  network: Network,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<Answer[]> {
  if (calls.length === 0) return [];
  try {
    const outcomes = await network.rpc.requestAll(calls, { signal });
    return outcomes.map((one) =>
      one.status === 'fulfilled'
        ? { data: typeof one.value === 'string' ? (one.value as Hex) : undefined, final: true }
        : { data: undefined, final: one.reason instanceof RpcError },
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}

/** Undefined if the data is not a feed's answer, or if the price is not positive, stale, or from the future. */
function readPrice(
  round: Hex | undefined,
  decimals: Hex | undefined,
  block: BlockTime,
): Price | undefined {
  if (round === undefined || decimals === undefined) return undefined;
  try {
    const { answer, updatedAt } = FEED.decodeFunctionResult(ROUND, round) as unknown as {
      answer: bigint;
      updatedAt: bigint;
    };
    const [places] = FEED.decodeFunctionResult('decimals()', decimals) as unknown as [bigint];
    const age = BigInt(block.timestamp) - updatedAt;
    const fresh = age >= 0n && age <= BigInt(MAX_AGE_SECONDS);
    if (answer <= 0n || !fresh || places > MAX_DECIMALS) return undefined;
    const origin = { source: 'chainlink', time: Number(updatedAt) };
    return { value: answer, decimals: Number(places), ...origin };
  } catch {
    return undefined;
  }
}

/** Its time is the older of the two. */
const product = (inNative: Price, native: Price): Price => ({
  value: inNative.value * native.value,
  decimals: inNative.decimals + native.decimals,
  source: 'chainlink',
  time: Math.min(inNative.time ?? 0, native.time ?? 0),
});
