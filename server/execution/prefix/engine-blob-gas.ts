import { headOfEngine } from '../../evm/forms/block-header';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import {
  blobPriceAt,
  blobSchedule,
  GAS_PER_BLOB,
  hasEthereumBlobs,
  nextExcessBlobGas,
  type BlobRules,
} from '../../evm/rules/blob-price';
import { fakeExponential } from '../../evm/rules/fake-exponential';
import { isSince } from '../../evm/forms/hardfork-order';
import { knownChain } from '../../evm/families/known-chains';

/** Number of the blocks that `setNext` loads: beyond every block of a chain, so that no read finds them. */
export const LOADED_BLOCK = 2 ** 52;
/** Chain id with which the engine derives the update fraction of a loaded block from its time. */
const MAINNET = 1;
/** The engine's update fractions, and a time on mainnet at which it uses each. It knows no blob parameter forks (EIP-7892). */
const CANCUN = { fraction: 3_338_477n, time: 1_710_338_135 };
const PRAGUE = { fraction: 5_007_716n, time: 1_746_612_311 };
/** Less blob gas in all is below every target: the next excess is zero, and the price the lowest. */
const LEAST_TARGET = 3n * GAS_PER_BLOB;

/** Settings of an engine's next block. */
interface NextSettings {
  readonly miner: string;
  readonly gasLimit: string;
}

/**
 * Sets the blob gas of an engine's blocks by the rules of its chain. Anvil 1.5.1 exchanges the operands of EIP-7918, has no update fractions
 * of blob parameter forks, and forgets the price of its newest block at a revert. Its `anvil_loadState` sets the environment of the newest
 * block as it is given, and the excess of the next one as that after a loaded block. After a blob parameter fork, blocks get the excess that
 * gives the right price with the engine's own fraction.
 */
export class EngineBlobGas {
  #target: Promise<bigint> | undefined;

  /**
   * @param chainId the engine's own, which a fork may have changed
   * @param origin the newest block that has the chain's own excess
   */
  constructor(
    private readonly engine: RpcClient,
    private readonly rules: BlobRules,
    private readonly chainId: number,
    private readonly origin: RpcBlockHeader,
  ) {}

  /** Sets the blob gas of the newest block, which calls see, and of the next one. @param head the newest block */
  async enter(head: RpcBlockHeader, signal?: AbortSignal): Promise<void> {
    if (!this.isNeeded(head)) return;
    await this.#setHead(head, head, signal);
    await this.enterNext(head, signal);
  }

  /**
   * Sets the price of the newest block, which calls see.
   * @param next settings of the next block, which stay
   * @param known the newest block, if it is known
   */
  async enterHead(next: NextSettings, known?: RpcBlockHeader): Promise<void> {
    const head = known ?? (await headOfEngine(this.engine));
    if (this.isNeeded(head)) await this.#setHead(head, next);
  }

  /**
   * Sets the blob gas of the block after `head`.
   * @param time of that block, Unix seconds
   */
  async enterNext(
    head: RpcBlockHeader,
    signal?: AbortSignal,
    time = earliestAfter(head),
  ): Promise<void> {
    if (!this.isNeeded(head)) return;
    const baseFee = await nextBaseFeeOf(this.engine, signal);
    const parent = { ...head, excessBlobGas: toQuantity(this.excessOf(head)) };
    const excess = nextExcessBlobGas(this.rules, parent, time) ?? 0n;
    await this.#setNext(head, this.#onEngine(excess, time), baseFee, signal);
  }

  /** The same, if a blob parameter fork begins before that block and after the earliest time that it could have. */
  async crossFork(head: RpcBlockHeader, time: number): Promise<void> {
    const [expected, found] = [earliestAfter(head), time].map((at) => blobSchedule(this.rules, at));
    if (expected?.fraction !== found?.fraction) await this.enterNext(head, undefined, time);
  }

  /** Sets the blob gas of a block of the chain that the engine executes next, for calls and in its own block. */
  async enterOriginal(block: RpcBlockHeader, signal?: AbortSignal): Promise<void> {
    const excess = BigInt(block.excessBlobGas ?? '0x0');
    if (excess < LEAST_TARGET || knownChain(this.rules.chainId).differences !== undefined) return;
    const head = await headOfEngine(this.engine, { signal });
    const price = blobPriceAt(this.rules, block) ?? 1n;
    const environment = environmentOf(head, block, excess, price);
    await requestEach(this.engine, [loadCall(environment)], { signal });
    if (!hasEthereumBlobs(this.rules.chainId)) return;
    const own = this.#onEngine(excess, Number(block.timestamp));
    await this.#setNext(head, own, block.baseFeePerGas ?? '0x0', signal);
  }

  /** Whether the engine may compute another blob gas than the chain's rules do, in a block or after it. */
  isNeeded(head: RpcBlockHeader): boolean {
    const { chainId } = this.rules;
    if (head.excessBlobGas === undefined || !hasEthereumBlobs(chainId)) return false;
    if (knownChain(chainId).differences !== undefined) return false;
    return this.excessOf(head) + BigInt(head.blobGasUsed ?? '0x0') >= LEAST_TARGET;
  }

  get #own(): typeof CANCUN {
    return isSince(this.rules.hardfork, 'prague') ? PRAGUE : CANCUN;
  }

  /** Excess of a block by the chain's rules. */
  excessOf({ number, timestamp, excessBlobGas = '0x0' }: RpcBlockHeader): bigint {
    if (Number(number) <= Number(this.origin.number)) {
      return BigInt(this.origin.excessBlobGas ?? '0x0');
    }
    const { fraction } = blobSchedule(this.rules, Number(timestamp));
    return scaled(BigInt(excessBlobGas), this.#own.fraction, fraction);
  }

  /** The excess that has the same price on the engine. */
  #onEngine(excess: bigint, time: number): bigint {
    const { fraction } = blobSchedule(this.rules, time);
    return excessOfPrice(
      fakeExponential(1n, excess, fraction),
      this.#own.fraction,
      scaled(excess, fraction, this.#own.fraction),
    );
  }

  async #setHead(head: RpcBlockHeader, next: NextSettings, signal?: AbortSignal): Promise<void> {
    const isOriginal = Number(head.number) <= Number(this.origin.number);
    const price = isOriginal
      ? (blobPriceAt(this.rules, this.origin) ?? 1n)
      : fakeExponential(1n, BigInt(head.excessBlobGas ?? '0x0'), this.#own.fraction);
    const environment = environmentOf(head, next, this.excessOf(head), price);
    await requestEach(this.engine, [loadCall(environment)], { signal });
  }

  /** @param excess on the engine */
  async #setNext(
    head: RpcBlockHeader,
    excess: bigint,
    baseFee: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const header = {
      ...head,
      number: toQuantity(LOADED_BLOCK),
      timestamp: toQuantity(this.#own.time),
      baseFeePerGas: '0x0',
      excessBlobGas: toQuantity(excess + (await this.#targetGas(signal))),
      blobGasUsed: '0x0',
    };
    const blocks = JSON.stringify([{ header, transactions: [], ommers: [] }]);
    const setBaseFee = (fee: string): RpcCall => ({
      method: 'anvil_setNextBlockBaseFeePerGas',
      params: [fee],
    });
    // Without a base fee, the engine subtracts the target, and keeps the base fee.
    const calls = [
      setBaseFee('0x0'),
      loadCall(stateOf('null', 'null', blocks)),
      setBaseFee(baseFee),
    ];
    await requestEach(this.engine, this.#asMainnet(calls), { signal });
  }

  /** Blob gas that the engine subtracts: it keeps the target of the block that it forked from. */
  #targetGas(signal: AbortSignal | undefined): Promise<bigint> {
    return (this.#target ??= this.engine
      .request('eth_config', [], { signal })
      .then((config) => {
        const { current } = config as { current: { blobSchedule: { target: number } } };
        return BigInt(current.blobSchedule.target) * GAS_PER_BLOB;
      })
      .catch((error: unknown) => {
        this.#target = undefined;
        throw error;
      }));
  }

  #asMainnet(calls: readonly RpcCall[]): RpcCall[] {
    if (this.chainId === MAINNET) return [...calls];
    const set = (chainId: number): RpcCall => ({ method: 'anvil_setChainId', params: [chainId] });
    return [set(MAINNET), ...calls, set(this.chainId)];
  }
}

/** Base fee of an engine's next block, in wei as a quantity. */
async function nextBaseFeeOf(engine: RpcClient, signal: AbortSignal | undefined): Promise<string> {
  const info = await engine.request('anvil_nodeInfo', [], { signal });
  const { environment } = info as { environment: { baseFee: string | number } };
  return toQuantity(BigInt(environment.baseFee));
}

const earliestAfter = ({ timestamp }: RpcBlockHeader): number => Number(timestamp) + 1;

/** Rounded to the nearest. */
const scaled = (excess: bigint, from: bigint, to: bigint): bigint =>
  from === to ? excess : (2n * excess * to + from) / (2n * from);

/** The excess whose price is nearest to `price`; `guess` if it has exactly this price. */
function excessOfPrice(price: bigint, fraction: bigint, guess: bigint): bigint {
  const priceOf = (excess: bigint): bigint => fakeExponential(1n, excess, fraction);
  if (priceOf(guess) === price) return guess;
  let [low, high] = [0n, guess + fraction];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (priceOf(middle) < price) low = middle + 1n;
    else high = middle;
  }
  const below = low === 0n ? 0n : low - 1n;
  return price - priceOf(below) < priceOf(low) - price ? below : low;
}

/** The newest block as the engine's environment. The price may exceed what a number holds, so the text is written here. */
function environmentOf(
  head: RpcBlockHeader,
  { miner, gasLimit }: NextSettings,
  excess: bigint,
  price: bigint,
): string {
  const { number, timestamp, difficulty = '0x0', mixHash } = head;
  const fields = {
    number,
    beneficiary: miner,
    timestamp,
    difficulty,
    prevrandao: mixHash,
    gas_limit: Number(gasLimit),
    basefee: Number(head.baseFeePerGas ?? '0x0'),
  };
  const blobs = `{"excess_blob_gas":${excess},"blob_gasprice":${price}}`;
  const block = `${JSON.stringify(fields).slice(0, -1)},"blob_excess_gas_and_price":${blobs}}`;
  return stateOf(block, String(Number(number)), '[]');
}

const stateOf = (block: string, bestNumber: string, blocks: string): string =>
  `{"block":${block},"best_block_number":${bestNumber},"accounts":{},"blocks":${blocks}}`;

const loadCall = (state: string): RpcCall => ({
  method: 'anvil_loadState',
  params: [`0x${Buffer.from(state).toString('hex')}`],
});
