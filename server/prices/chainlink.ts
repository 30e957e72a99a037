import { Interface } from 'ethers';
import { NATIVE_ASSET } from '../api/explorer';
import type { Address, Hex } from '../api/primitives';
import type { BlockTime, Network, Price, PriceSource } from '../analysis/ports';
import type { RpcCall } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import { CHAINLINK_FEEDS, type ChainFeeds } from './chainlink-feeds';

const FEED = new Interface([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function latestRoundData(address base, address quote) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function decimals(address base, address quote) view returns (uint8)',
]);
const ROUND = 'latestRoundData()';
const REGISTRY_ROUND = 'latestRoundData(address,address)';
/** The registry's name for USD: its ISO 4217 number. */
const USD = '0x0000000000000000000000000000000000000348';

/** The longest heartbeat of a feed is a day; an answer that is older has been forgotten. */
const MAX_AGE_SECONDS = 25 * 3600;

interface Reading {
  readonly asset: Address;
  /** The round, then the decimals. */
  readonly calls: readonly [RpcCall, RpcCall];
}

/** Prices of Chainlink's feeds as they stood on chain at the block. Needs nothing but the chain itself. */
export class ChainlinkPrices implements PriceSource {
  constructor(private readonly feeds: ReadonlyMap<number, ChainFeeds> = CHAINLINK_FEEDS) {}

  async pricesAt(
    network: Network,
    assets: readonly Address[],
    block: BlockTime,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Price>> {
    const prices = new Map<Address, Price>();
    const feeds = this.feeds.get(network.chainId);
    if (!feeds) return prices;
    const readings = assets.flatMap((asset) => readingsOf(asset, network, feeds, block));
    const answers = await ask(
      network,
      readings.flatMap(({ calls }) => calls),
      signal,
    );
    for (const [index, { asset }] of readings.entries()) {
      const price = readPrice(answers[index * 2], answers[index * 2 + 1], block);
      if (price && !prices.has(asset)) prices.set(asset, price);
    }
    return prices;
  }
}

/** The asset's own feed, then the registry's. */
function readingsOf(
  asset: Address,
  network: Network,
  { native, tokens, registry }: ChainFeeds,
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
    readings.push({ asset, calls });
  }
  if (registry !== undefined) {
    const base = isNative ? NATIVE_ASSET : asset;
    const encode = (name: string): string => FEED.encodeFunctionData(name, [base, USD]);
    const calls = [
      call(registry, encode(REGISTRY_ROUND)),
      call(registry, encode('decimals(address,address)')),
    ] as const;
    readings.push({ asset, calls });
  }
  return readings;
}

async function ask(
  network: Network,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<(Hex | undefined)[]> {
  if (calls.length === 0) return [];
  try {
    const outcomes = await network.rpc.requestAll(calls, { signal });
    return outcomes.map((one) =>
      one.status === 'fulfilled' && typeof one.value === 'string' ? (one.value as Hex) : undefined,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}

/** Undefined for what is no answer of a feed, for an answer that is not above zero, and for one that is stale. */
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
    const fresh = BigInt(block.timestamp) - updatedAt <= BigInt(MAX_AGE_SECONDS);
    return answer > 0n && fresh ? { value: answer, decimals: Number(places) } : undefined;
  } catch {
    return undefined;
  }
}
