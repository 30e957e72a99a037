import { requestEach, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcBlockHeader } from '../../ethereum/types';
import { blocksBetween, intervalCall, newestBlock, type ForkBlock } from './engine-blocks';
import { ForkClock } from './fork-clock';
import { mineBlock, mineBlocks } from './system-contracts';

/** The blocks of a fork: makes them at the times that are given, and knows those that were made. */
export class ForkChain {
  readonly clock: ForkClock;
  #blocks: ForkBlock[] = [];
  #mined = 0;
  /** Blocks that are made again from a journal are read when all of them are there. */
  #known = false;
  /** The newest block, if nothing can have happened since it was mined. */
  #newest: RpcBlockHeader | undefined;

  private constructor(
    private readonly engine: RpcClient,
    /** The newest block that was not made on the fork. */
    private readonly origin: ForkBlock,
    now: () => number,
  ) {
    this.clock = new ForkClock(now);
    this.clock.resume(origin.timestamp);
  }

  /**
   * @param engine stands at the fork point
   * @param now wall clock, milliseconds
   */
  static async at(engine: RpcClient, now: () => number): Promise<ForkChain> {
    return new ForkChain(engine, await newestBlock(engine), now);
  }

  /** Blocks made on the fork, oldest first. */
  get blocks(): readonly ForkBlock[] {
    return this.#blocks;
  }

  /** Number of the newest block. */
  get head(): number {
    return (this.#blocks.at(-1) ?? this.origin).number;
  }

  /** Blocks that the engine mined, those that were reverted included. */
  get mined(): number {
    return this.#mined;
  }

  /** Reads the blocks made so far; knows of each that comes from here on. */
  async read(): Promise<void> {
    const { number } = await newestBlock(this.engine);
    this.#blocks = await blocksBetween(this.engine, this.origin.number + 1, number);
    this.#known = true;
  }

  /** @param timestamp of the first block; @param interval seconds between blocks */
  async mine(blocks: number, timestamp: number, interval: number): Promise<void> {
    await this.mineOne(timestamp);
    if (blocks === 1) return;
    this.#newest = undefined;
    // The engine would count from the wall clock, or by an interval that was set.
    await this.engine.request('anvil_setBlockTimestampInterval', [interval]);
    await mineBlocks(this.engine, blocks - 1, interval);
    await requestEach(this.engine, [intervalCall(this.clock.state.interval)]);
    if (this.#known) {
      const first = this.head + 1;
      this.#blocks.push(...(await blocksBetween(this.engine, first, first + blocks - 2)));
    }
    this.#mined += blocks - 1;
    this.clock.resume(timestamp + (blocks - 1) * interval);
  }

  /** Mines what is ready in the pool. @param parent the newest block, where it is known */
  async mineOne(timestamp: number, parent = this.#newest): Promise<void> {
    this.#newest = undefined;
    const { block, header } = await mineBlock(this.engine, timestamp, parent);
    this.#newest = header;
    this.#mined++;
    if (this.#known) this.#blocks.push(block);
    this.clock.resume(timestamp);
  }

  /** Whether the newest block holds all of these transactions. */
  holds(hashes: readonly string[]): boolean {
    const mined = this.#blocks.at(-1)?.transactions ?? [];
    return hashes.every((hash) => mined.includes(hash));
  }

  /** Something was done to the engine that may concern its newest block. */
  touched(): void {
    this.#newest = undefined;
  }

  /** The engine was taken back to this block. */
  rewound(number: number): void {
    this.#newest = undefined;
    while ((this.#blocks.at(-1)?.number ?? number) > number) this.#blocks.pop();
  }
}
