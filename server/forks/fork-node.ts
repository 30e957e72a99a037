import { RpcError, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import {
  blocksBetween,
  newestBlock,
  restoreSettings,
  settingsOfNextBlock,
  type ForkBlock,
} from './engine-blocks';
import { ForkClock } from './fork-clock';
import type { JournalEntry } from './journal';
import { SerialQueue } from './serial-queue';
import { Snapshots, type BlockSettings } from './snapshots';
import {
  dropFromPool,
  hasReady,
  putIntoPool,
  rejected,
  requireExecutable,
} from './transaction-pool';

/** Blocks that one call may mine: each keeps a copy of the state. */
export const MAX_BLOCKS_PER_CALL = 10_000;

export interface ForkNodeOptions {
  engine: RpcClient;
  snapshotId: string;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Makes an entry durable. */
  record: (entry: JournalEntry) => Promise<void>;
  /** Told of the transactions that a user's call executed. */
  executed: (count: number) => Promise<void>;
}

/**
 * The writing side of one fork: every change goes through one queue and is a journal entry. What users see as automine is
 * done here (send, then mine), so that a receipt is there when the send is answered.
 */
export class ForkNode {
  readonly #queue = new SerialQueue();
  readonly #snapshots = new Snapshots();
  readonly #clock: ForkClock;
  /** Blocks made on the fork, oldest first. */
  readonly #blocks: ForkBlock[] = [];
  #automine = true;

  private constructor(private readonly options: ForkNodeOptions) {
    this.#clock = new ForkClock(options.now);
  }

  /** @param entries what was done on the fork before; done again on this engine, which stands at the fork point */
  static async start(
    options: ForkNodeOptions,
    entries: readonly JournalEntry[] = [],
  ): Promise<ForkNode> {
    const node = new ForkNode(options);
    node.#clock.resume((await newestBlock(options.engine)).timestamp);
    await node.#snapshot(options.snapshotId);
    for (const entry of entries) await node.#apply(entry);
    return node;
  }

  get automine(): boolean {
    return this.#automine;
  }

  /** Blocks made on the fork, oldest first; those of the forked chain and of a replayed prefix are none of them. */
  get blocks(): readonly ForkBlock[] {
    return this.#blocks;
  }

  /** A change that the engine makes by itself. @returns its answer */
  change(call: RpcCall): Promise<unknown> {
    return this.#do(() => ({ op: 'call', ...call }));
  }

  /** @returns the hashes, in order. With automine the transactions are executed, together in one block. */
  async send(calls: readonly RpcCall[]): Promise<string[]> {
    return (await this.#do(() => ({
      op: 'send',
      calls,
      ...(this.#automine ? { timestamp: this.#clock.next() } : {}),
    }))) as string[];
  }

  /** @param timestamp of the first block; @param interval seconds between blocks */
  async mine(
    blocks: number,
    { timestamp, interval }: { timestamp?: number; interval?: number } = {},
  ): Promise<void> {
    await this.#do(() => ({
      op: 'mine',
      blocks,
      timestamp: timestamp ?? this.#clock.next(),
      interval: interval ?? 1,
    }));
  }

  async setAutomine(on: boolean): Promise<void> {
    await this.#do(() => ({ op: 'automine', on }));
  }

  async snapshot(): Promise<string> {
    return (await this.#do(() => ({ op: 'snapshot', id: this.#snapshots.nextId() }))) as string;
  }

  /** @returns false where there is no such snapshot (any more) */
  async revert(id: string): Promise<boolean> {
    return (
      (await this.#do(() => (this.#snapshots.find(id) ? { op: 'revert', id } : undefined))) !==
      false
    );
  }

  /** One entry: carried out, made durable, counted. */
  #do(next: () => JournalEntry | undefined): Promise<unknown> {
    return this.#queue.add(async () => {
      const entry = next();
      if (!entry) return false;
      const before = this.#blocks.length;
      const result = await this.#apply(entry);
      await this.options.record(entry);
      const executed = this.#blocks
        .slice(before)
        .reduce((sum, { transactions }) => sum + transactions.length, 0);
      if (executed > 0) await this.options.executed(executed);
      return result;
    });
  }

  /** Depends on nothing but the entry and the state: it is also how a journal is replayed. */
  async #apply(entry: JournalEntry): Promise<unknown> {
    switch (entry.op) {
      case 'call':
        return this.#call(entry);
      case 'send':
        return this.#send(entry.calls, entry.timestamp);
      case 'mine':
        return this.#mine(entry);
      case 'automine':
        this.#automine = entry.on;
        return null;
      case 'snapshot':
        return this.#snapshot(entry.id);
      case 'revert':
        return this.#revert(entry.id);
    }
  }

  async #call({ method, params }: RpcCall): Promise<unknown> {
    const result = await this.options.engine.request(method, params);
    const value = Number(params[0]);
    if (method === 'evm_increaseTime') this.#clock.increase(value);
    else if (method === 'evm_setNextBlockTimestamp') this.#clock.setNext(value);
    else if (method === 'evm_setTime') this.#clock.set(value);
    else if (method === 'anvil_setBlockTimestampInterval') this.#clock.setInterval(value);
    else if (method === 'anvil_removeBlockTimestampInterval') this.#clock.setInterval(undefined);
    return result;
  }

  async #send(calls: readonly RpcCall[], timestamp: number | undefined): Promise<string[]> {
    const { engine } = this.options;
    if (timestamp === undefined) return putIntoPool(engine, calls);
    const next = await settingsOfNextBlock(engine);
    const hashes = await putIntoPool(engine, calls);
    const [hash] = hashes;
    if (hash !== undefined && hashes.length === 1) await this.#executeOne(hash, next, timestamp);
    else await this.#executeBundle(hashes, next, timestamp);
    return hashes;
  }

  async #executeOne(hash: string, next: BlockSettings, timestamp: number): Promise<void> {
    const { engine } = this.options;
    try {
      await requireExecutable(engine, hash, next);
    } catch (error) {
      await dropFromPool(engine, [hash]);
      throw error;
    }
    // One with a nonce to come waits for those before it, as on every node.
    if (await hasReady(engine)) await this.#mineOne(timestamp);
  }

  /** One transaction may pay for the next: only the mined block tells whether all could be executed. */
  async #executeBundle(
    hashes: readonly string[],
    next: BlockSettings,
    timestamp: number,
  ): Promise<void> {
    const { engine } = this.options;
    const before = await engine.request('evm_snapshot', []);
    await this.#mineOne(timestamp);
    const mined = this.#blocks.at(-1)?.transactions ?? [];
    const missing = hashes.findIndex((hash) => !mined.includes(hash));
    if (missing === -1) return;
    await engine.request('evm_revert', [before]);
    await dropFromPool(engine, hashes);
    await this.#resumeAtHead(next);
    throw rejected(
      `transaction ${missing} of the bundle cannot be executed: its nonce, its gas, its fee, or the funds of its sender do not allow it`,
    );
  }

  async #mine({ blocks, timestamp, interval }: JournalEntry & { op: 'mine' }): Promise<null> {
    await this.#mineOne(timestamp);
    if (blocks > 1) {
      const { engine } = this.options;
      const first = (this.#blocks.at(-1)?.number ?? 0) + 1;
      await engine.request('anvil_mine', [toQuantity(blocks - 1), toQuantity(interval)]);
      this.#blocks.push(...(await blocksBetween(engine, first, first + blocks - 2)));
      this.#clock.resume(timestamp + (blocks - 1) * interval);
    }
    return null;
  }

  async #mineOne(timestamp: number): Promise<void> {
    const { engine } = this.options;
    await engine.request('evm_setNextBlockTimestamp', [timestamp]);
    await engine.request('evm_mine', []);
    this.#blocks.push(await newestBlock(engine));
    this.#clock.resume(timestamp);
  }

  async #snapshot(id: string): Promise<string> {
    const { engine } = this.options;
    const settings = await settingsOfNextBlock(engine);
    const nativeId = (await engine.request('evm_snapshot', [])) as string;
    this.#snapshots.add({ id, nativeId, settings });
    return id;
  }

  async #revert(id: string): Promise<true> {
    const { engine, snapshotId } = this.options;
    const snapshot = this.#snapshots.find(id);
    if (!snapshot || (await engine.request('evm_revert', [snapshot.nativeId])) !== true) {
      throw new RpcError(-32603, `the engine has lost snapshot ${id}`);
    }
    await engine.request('anvil_dropAllTransactions', []);
    await this.#resumeAtHead(snapshot.settings);
    this.#snapshots.dropFrom(snapshot);
    if (id === snapshotId) await this.#snapshot(id);
    return true;
  }

  /** After a revert of the engine. */
  async #resumeAtHead(settings: BlockSettings): Promise<void> {
    const { engine } = this.options;
    await restoreSettings(engine, settings);
    const head = await newestBlock(engine);
    while ((this.#blocks.at(-1)?.number ?? 0) > head.number) this.#blocks.pop();
    this.#clock.resume(head.timestamp);
  }
}
