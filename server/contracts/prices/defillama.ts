import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { NATIVE_ASSET } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import type { BlockTime, Network, Price, PriceSource } from '../../analysis/ports';
import {
  PublicService,
  type ServiceFacts,
  type ServiceOptions,
} from '../../kernel/public-services/public-service';
import { priceOf } from './price-number';

/** DefiLlama's name of a chain, and CoinGecko's id of its native asset; by chain id. */
const CHAINS: ReadonlyMap<number, { name: string; native: string }> = new Map([
  [1, { name: 'ethereum', native: 'ethereum' }],
  [10, { name: 'optimism', native: 'ethereum' }],
  [56, { name: 'bsc', native: 'binancecoin' }],
  [100, { name: 'xdai', native: 'xdai' }],
  [137, { name: 'polygon', native: 'polygon-ecosystem-token' }],
  [8_453, { name: 'base', native: 'ethereum' }],
  [42_161, { name: 'arbitrum', native: 'ethereum' }],
  [43_114, { name: 'avax', native: 'avalanche-2' }],
  [59_144, { name: 'linea', native: 'ethereum' }],
]);

const DEFILLAMA: ServiceFacts = {
  name: 'defillama',
  url: 'https://coins.llama.fi',
  timeoutMs: 5_000,
  maxBytes: 1024 * 1024,
};
/** Coins per request, which bounds the length of its URL. */
const COINS_PER_REQUEST = 50;
const CACHED_PRICES = 10_000;

/** Prices further from the requested time are rejected. */
const MAX_DISTANCE_SECONDS = 12 * 3600;

const answerSchema = z.object({ coins: z.record(z.string(), z.unknown()) });
const coinSchema = z.object({ price: z.number(), timestamp: z.number().optional() });

/** Prices from DefiLlama's historical API at the block's time. */
export class DefiLlamaPrices implements PriceSource {
  readonly #service: PublicService;
  /** `false`: the service has no price. Missing answers are not cached. */
  readonly #cache = new LRUCache<string, Price | false>({ max: CACHED_PRICES });

  constructor(options: ServiceOptions = {}) {
    this.#service = new PublicService(DEFILLAMA, options);
  }

  async pricesAt(
    network: Network,
    assets: readonly Address[],
    { timestamp }: BlockTime,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Price>> {
    const coins = new Map<Address, string>();
    for (const asset of assets) {
      const coin = coinOf(network, asset);
      if (coin !== undefined) coins.set(asset, coin);
    }
    await this.#load([...new Set(coins.values())], timestamp, signal);
    const prices = new Map<Address, Price>();
    for (const [asset, coin] of coins) {
      const price = this.#cache.get(`${timestamp} ${coin}`);
      if (price) prices.set(asset, price);
    }
    return prices;
  }

  async #load(coins: readonly string[], timestamp: number, signal: AbortSignal): Promise<void> {
    const missing = coins.filter((coin) => !this.#cache.has(`${timestamp} ${coin}`));
    const chunks: string[][] = [];
    for (let start = 0; start < missing.length; start += COINS_PER_REQUEST) {
      chunks.push(missing.slice(start, start + COINS_PER_REQUEST));
    }
    await Promise.all(
      chunks.map(async (chunk) => {
        const answer = await this.#fetch(chunk, timestamp, signal);
        if (!answer) return;
        for (const coin of chunk) {
          const { success, data } = coinSchema.optional().safeParse(answer.coins[coin]);
          if (success) this.#cache.set(`${timestamp} ${coin}`, readCoin(data, timestamp) ?? false);
        }
      }),
    );
  }

  /** Undefined if the service does not answer as expected. */
  async #fetch(
    coins: readonly string[],
    timestamp: number,
    signal: AbortSignal,
  ): Promise<z.infer<typeof answerSchema> | undefined> {
    const path = `/prices/historical/${timestamp}/${coins.join(',')}`;
    const answer = await this.#service.get(path, signal);
    return answer?.status === 200 ? answerSchema.safeParse(answer.json).data : undefined;
  }
}

/** Undefined for invalid prices and for prices of another time. */
function readCoin(coin: z.infer<typeof coinSchema> | undefined, wanted: number): Price | undefined {
  const time = Math.trunc(coin?.timestamp ?? wanted);
  const price = priceOf(coin?.price);
  return price && Math.abs(time - wanted) <= MAX_DISTANCE_SECONDS
    ? { ...price, source: 'defillama', time }
    : undefined;
}

function coinOf(network: Network, asset: Address): string | undefined {
  const chain = CHAINS.get(network.chainId);
  if (!chain) return undefined;
  const isNative = asset === NATIVE_ASSET || asset === network.wrappedNative;
  return isNative ? `coingecko:${chain.native}` : `${chain.name}:${asset}`;
}
