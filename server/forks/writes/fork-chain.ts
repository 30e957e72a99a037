import { headOfEngine } from '../../evm/forms/block-header';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcBlockHeader } from '../../evm/forms/types';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import { nextBaseFee, type BaseFeeRule } from '../../evm/families/op-stack/next-base-fee';
import { blocksBetween, intervalCall, newestBlock, type ForkBlock } from './engine-blocks';
import { ForkClock } from './fork-clock';
import type { OpStackFees } from './op-stack-fees';
import { mineBlock, mineBlocks } from './system-contracts';

/** What the engine computes by other rules than the chain. Undefined: the engine's. */
interface BlockRules {
  blobGas?: EngineBlobGas | undefined;
  baseFee?: BaseFeeRule | undefined;
  /** Fees that the engine does not take. */
  fees?: OpStackFees | undefined;
  /** Ends the engine, because its state differs from the journal. */
  abandon: () => Promise<void>;
}

/** The blocks of a fork: mines them at given times, and lists those that were made. */
export class ForkChain {
  readonly clock: ForkClock;
  #blocks: ForkBlock[] = [];
  #mined = 0;
  /** Whether `#blocks` is complete. During a replay of the journal, blocks are read once at the end. */
  #known = false;
  /** The newest block, if nothing can have changed since it was mined. */
  #newest: RpcBlockHeader | undefined;

  private constructor(
    private readonly engine: RpcClient,
    /** The newest block that was not made on the fork. */
    private readonly origin: ForkBlock,
    private readonly rules: BlockRules,
    now: () => number,
  ) {
    this.clock = new ForkClock(now);
    this.clock.resume(origin.timestamp);
  }

  /**
   * @param engine stands at the fork point
   * @param now wall clock, milliseconds
   * @param rules of its blocks
   */
  static async at(engine: RpcClient, now: () => number, rules: BlockRules): Promise<ForkChain> {
    return new ForkChain(engine, await newestBlock(engine), rules, now);
  }

  /** Blocks made on the fork, oldest first. */
  get blocks(): readonly ForkBlock[] {
    return this.#blocks;
  }

  /** Number of the newest block. */
  get head(): number {
    return (this.#blocks.at(-1) ?? this.origin).number;
  }

  /** The newest block, if it is known. */
  get newest(): RpcBlockHeader | undefined {
    return this.#newest;
  }

  /** Number of blocks that the engine mined, including reverted ones. */
  get mined(): number {
    return this.#mined;
  }

  /** Reads the blocks made so far; later ones are added as they are mined. */
  async read(): Promise<void> {
    const { number } = await newestBlock(this.engine);
    this.#blocks = await blocksBetween(this.engine, this.origin.number + 1, number);
    this.#known = true;
  }

  /** @param timestamp time of the first block; @param interval seconds between blocks */
  async mine(blocks: number, timestamp: number, interval: number): Promise<void> {
    await this.mineOne(timestamp);
    let [rest, next] = [blocks - 1, timestamp + interval];
    while (rest > 0 && this.#differsFromEngine()) {
      await this.mineOne(next);
      rest--;
      next += interval;
    }
    if (rest === 0) return;
    this.#newest = undefined;
    // The engine would count from the wall clock, or by an interval set earlier.
    await this.engine.request('anvil_setBlockTimestampInterval', [interval]);
    await mineBlocks(this.engine, rest, interval);
    await requestEach(this.engine, [intervalCall(this.clock.state.interval)]);
    if (this.#known) {
      const first = this.head + 1;
      this.#blocks.push(...(await blocksBetween(this.engine, first, first + rest - 1)));
    }
    this.#mined += rest;
    this.clock.resume(timestamp + (blocks - 1) * interval);
  }

  /** Whether the engine would give blocks that it mines together another base fee or blob gas than the chain. */
  #differsFromEngine(): boolean {
    const { baseFee, fees, blobGas } = this.rules;
    if (baseFee ?? fees) return true;
    return this.#newest !== undefined && blobGas?.isNeeded(this.#newest) === true;
  }

  /** Mines the executable transactions of the pool. @param parent the newest block, if known */
  async mineOne(timestamp: number, parent = this.#newest): Promise<void> {
    const { blobGas, fees } = this.rules;
    this.#newest = undefined;
    await fees?.prepare();
    const before = parent ?? (blobGas && (await headOfEngine(this.engine)));
    if (before) await blobGas?.crossFork(before, timestamp);
    const { block, mined } = await mineBlock(this.engine, timestamp, before);
    const footprint = await this.#charge(mined);
    await blobGas?.enterNext(mined);
    this.#newest = mined;
    this.#mined++;
    if (this.#known) this.#blocks.push(block);
    this.clock.resume(timestamp);
    await this.#setBaseFee(mined, footprint);
  }

  /** Takes the fees that the engine does not take. @returns gas of the data footprint */
  async #charge(mined: RpcBlock): Promise<bigint> {
    const { fees, abandon } = this.rules;
    try {
      return (await fees?.charge(mined)) ?? 0n;
    } catch (error) {
      await abandon();
      throw error;
    }
  }

  async #setBaseFee(mined: RpcBlock, footprint: bigint): Promise<void> {
    const { baseFee } = this.rules;
    if (!baseFee) return;
    const next = nextBaseFee(baseFee, { ...mined, blobGasUsed: toQuantity(footprint) });
    await this.engine.request('anvil_setNextBlockBaseFeePerGas', [toQuantity(next)]);
  }

  /** Whether the newest block holds all of these transactions. */
  holds(hashes: readonly string[]): boolean {
    const mined = this.#blocks.at(-1)?.transactions ?? [];
    return hashes.every((hash) => mined.includes(hash));
  }

  /** Discards the newest block, because the engine may have changed it. */
  touched(): void {
    this.#newest = undefined;
    this.rules.fees?.touched();
  }

  /** Removes blocks above this one after a revert of the engine. @param newest this block, if it is known */
  rewound(number: number, newest?: RpcBlockHeader): void {
    this.#newest = newest;
    this.rules.fees?.touched();
    while ((this.#blocks.at(-1)?.number ?? number) > number) this.#blocks.pop();
  }
}
