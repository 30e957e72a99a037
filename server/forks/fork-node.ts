import { RpcError, type RpcCall } from '../ethereum/json-rpc';
import {
  blocksBetween,
  newestBlock,
  restoreCheats,
  restoreSettings,
  settingsOfNextBlock,
  type ForkBlock,
} from './engine-blocks';
import { ForkClock } from './fork-clock';
import type { JournalEntry, NamedSnapshot } from './journal';
import type { ForkNodeOptions } from './ports';
import { SerialQueue } from './serial-queue';
import { mineBlock, mineBlocks } from './system-contracts';
import { Snapshots, type BlockSettings, type ForkSettings, type Snapshot } from './snapshots';
import {
  dropFromPool,
  hasReady,
  poolMark,
  putIntoPool,
  rejected,
  requireExecutable,
  sparingPool,
} from './transaction-pool';

/** Blocks that one call may mine: each keeps a copy of the state. */
export const MAX_BLOCKS_PER_CALL = 10_000;

/**
 * The writing side of one fork: every change goes through one queue and is a journal entry. What users see as automine is
 * done here (send, then mine), so that a receipt is there when the send is answered.
 */
export class ForkNode {
  readonly #queue = new SerialQueue();
  readonly #snapshots = new Snapshots();
  readonly #clock: ForkClock;
  /** Blocks made on the fork, oldest first. */
  #blocks: ForkBlock[] = [];
  #automine = true;
  #impersonated = new Set<unknown>();
  /** The journal is being carried out: its sends are known to succeed. */
  #replaying = true;
  #sequence: number;

  private constructor(private readonly options: ForkNodeOptions) {
    this.#clock = new ForkClock(options.now);
    this.#sequence = options.history.executed;
  }

  /** Carries out on the engine, which stands at the fork point, what was done on the fork before. */
  static async start(options: ForkNodeOptions): Promise<ForkNode> {
    const node = new ForkNode(options);
    const { engine, history, snapshotId } = options;
    const origin = await newestBlock(engine);
    node.#clock.resume(origin.timestamp);
    await node.#take(snapshotId);
    for (const entry of history.script) await node.#apply(entry);
    const head = history.script.length === 0 ? origin : await newestBlock(engine);
    node.#blocks = await blocksBetween(engine, origin.number + 1, head.number);
    node.#replaying = false;
    await node.#compact();
    return node;
  }

  get automine(): boolean {
    return this.#automine;
  }

  /** Blocks made on the fork, oldest first; those of the forked chain and of a replayed prefix are none of them. */
  get blocks(): readonly ForkBlock[] {
    return this.#blocks;
  }

  /** The changes under way are over. */
  settled(): Promise<void> {
    return this.#queue.add(() => Promise.resolve());
  }

  /** Named snapshots, oldest first. */
  get named(): readonly NamedSnapshot[] {
    return this.options.history.named;
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
    return (await this.#do(async () => ({
      op: 'snapshot',
      id: this.options.history.nextId,
      ...(await poolMark(this.options.engine)),
    }))) as string;
  }

  /** Takes a snapshot that stays until it is deleted. */
  async keep(snapshot: Omit<NamedSnapshot, 'blockNumber'>): Promise<NamedSnapshot> {
    return (await this.#do(async () => {
      const { number: blockNumber } = await newestBlock(this.options.engine);
      return {
        op: 'keep',
        snapshot: { ...snapshot, blockNumber },
        ...(await poolMark(this.options.engine)),
      };
    })) as NamedSnapshot;
  }

  /** Deletes a named snapshot. @returns false where there is none */
  async forget(id: string): Promise<boolean> {
    const { history } = this.options;
    const entry = { op: 'forget', id } as const;
    return (await this.#do(() => (history.isNamed(id) ? entry : undefined))) !== false;
  }

  /** @returns false where there is no such snapshot (any more) */
  async revert(id: string): Promise<boolean> {
    return (await this.#do(() => this.#planRevert(id))) !== false;
  }

  /** One entry: carried out, made durable. What the engine did in vain must not stay. */
  #do(next: () => JournalEntry | undefined | Promise<JournalEntry | undefined>): Promise<unknown> {
    const { history, abandon } = this.options;
    return this.#queue.add(async () => {
      const planned = await next();
      if (!planned) return false;
      const before = this.#blocks.length;
      const result = await this.#apply(planned).catch(async (error: unknown) => {
        // A refusal changed nothing; anything else may have stopped half-way.
        if (!(error instanceof RpcError) || planned.op === 'revert') await abandon();
        throw error;
      });
      const entry = this.#done(planned, before);
      await this.options.record(entry);
      history.add(entry);
      if (entry.op === 'revert' && result === RESTART) await abandon();
      else await this.#compact();
      return result;
    });
  }

  /** With what became of it. */
  #done(entry: JournalEntry, blocksBefore: number): JournalEntry {
    const mined = this.#blocks.slice(blocksBefore);
    const count = mined.reduce((sum, { transactions }) => sum + transactions.length, 0);
    const day = new Date(this.options.now()).toISOString().slice(0, 10);
    const executed = count === 0 ? {} : { executed: { sequence: ++this.#sequence, day, count } };
    if (entry.op !== 'send' || mined.length > 0) return { ...entry, ...executed };
    const { op, calls } = entry;
    return { op, calls };
  }

  async #compact(): Promise<void> {
    const { history, rewrite } = this.options;
    if (!history.isWasteful) return;
    const contents = history.compacted();
    if (await rewrite(contents)) history.rewritten(contents.entries.length);
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
        return this.#take(entry.id);
      case 'keep':
        await this.#take(entry.snapshot.id);
        return entry.snapshot;
      case 'revert':
        return this.#revert(entry.id, entry.inline === true);
      case 'forget':
        return null;
    }
  }

  async #call({ method, params }: RpcCall): Promise<unknown> {
    const result = await this.options.engine.request(method, params);
    const [first] = params;
    const value = Number(first);
    if (method === 'evm_increaseTime') this.#clock.increase(value);
    else if (method === 'evm_setNextBlockTimestamp') this.#clock.setNext(value);
    else if (method === 'evm_setTime') this.#clock.set(value);
    else if (method === 'anvil_setBlockTimestampInterval') this.#clock.setInterval(value);
    else if (method === 'anvil_removeBlockTimestampInterval') this.#clock.setInterval(undefined);
    else if (method === 'anvil_impersonateAccount') this.#impersonated.add(first);
    else if (method === 'anvil_stopImpersonatingAccount') this.#impersonated.delete(first);
    return result;
  }

  async #send(calls: readonly RpcCall[], timestamp: number | undefined): Promise<string[]> {
    const { engine, abandon } = this.options;
    if (!this.#replaying) {
      return sparingPool(engine, () => this.#sendNew(calls, timestamp), abandon);
    }
    const hashes = await putIntoPool(engine, calls);
    if (timestamp !== undefined) await this.#mineOne(timestamp);
    return hashes;
  }

  async #sendNew(calls: readonly RpcCall[], timestamp: number | undefined): Promise<string[]> {
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
    await requireExecutable(engine, hash, next);
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
    const { state } = this.#clock;
    const before = await engine.request('evm_snapshot', []);
    await this.#mineOne(timestamp);
    const mined = this.#blocks.at(-1)?.transactions ?? [];
    const missing = hashes.findIndex((hash) => !mined.includes(hash));
    if (missing === -1) return;
    await engine.request('evm_revert', [before]);
    await dropFromPool(engine, hashes);
    await restoreSettings(engine, next);
    await this.#forgetBlocks();
    this.#clock.restore(state);
    const { excessBlobGas } = await settingsOfNextBlock(engine);
    // The engine is not what the journal says any more.
    if (excessBlobGas !== next.excessBlobGas) await this.options.abandon();
    throw rejected(
      `transaction ${missing} of the bundle cannot be executed: its nonce, its gas, its fee, or the funds of its sender do not allow it`,
    );
  }

  async #mine({ blocks, timestamp, interval }: JournalEntry & { op: 'mine' }): Promise<null> {
    await this.#mineOne(timestamp);
    if (blocks > 1) {
      const { engine } = this.options;
      // The engine would count from the wall clock.
      if (interval > 0) await engine.request('anvil_setBlockTimestampInterval', [interval]);
      await mineBlocks(engine, blocks - 1, interval);
      await restoreCheats(engine, this.#clock.state, this.#impersonated, this.#impersonated);
      if (!this.#replaying) {
        const first = (this.#blocks.at(-1)?.number ?? 0) + 1;
        this.#blocks.push(...(await blocksBetween(engine, first, first + blocks - 2)));
      }
      this.#clock.resume(timestamp + (blocks - 1) * interval);
    }
    return null;
  }

  async #mineOne(timestamp: number): Promise<void> {
    const { engine } = this.options;
    await mineBlock(engine, timestamp);
    if (!this.#replaying) this.#blocks.push(await newestBlock(engine));
    this.#clock.resume(timestamp);
  }

  async #take(id: string): Promise<string> {
    const block = await settingsOfNextBlock(this.options.engine);
    const fork = {
      automine: this.#automine,
      clock: this.#clock.state,
      impersonated: [...this.#impersonated],
    };
    await this.#takeAs({ id, block, fork });
    return id;
  }

  async #takeAs(snapshot: Omit<Snapshot, 'nativeId'>): Promise<void> {
    const nativeId = (await this.options.engine.request('evm_snapshot', [])) as string;
    this.#snapshots.add({ ...snapshot, nativeId });
  }

  /**
   * A revert of the engine leaves traces: the excess blob gas (EIP-4844), which is in every header, is one. So the journal keeps what
   * came before, as the next blocks follow from it; up to a length, and then a new engine is the better way. It is also the way to a
   * named snapshot that the engine has lost by a revert to an older one.
   */
  #planRevert(id: string): JournalEntry | undefined {
    const { history } = this.options;
    if (!history.has(id)) return undefined;
    const snapshot = this.#snapshots.find(id);
    if (snapshot && !history.isLong) return { op: 'revert', id, inline: true };
    if (snapshot) this.#snapshots.dropFrom(snapshot);
    return { op: 'revert', id };
  }

  async #revert(id: string, inline: boolean): Promise<true | typeof RESTART> {
    const { engine, snapshotId, history } = this.options;
    const snapshot = this.#snapshots.find(id);
    if (!snapshot && !inline) return RESTART;
    if (!snapshot || (await engine.request('evm_revert', [snapshot.nativeId])) !== true) {
      throw new RpcError(-32603, `the engine has lost snapshot ${id}`);
    }
    await engine.request('anvil_dropAllTransactions', []);
    await restoreSettings(engine, snapshot.block);
    await this.#restore(snapshot.fork);
    await this.#forgetBlocks();
    this.#snapshots.dropFrom(snapshot);
    const stays = id === snapshotId || history.isNamed(id);
    if (stays || this.#replaying) await this.#takeAs(snapshot);
    return true;
  }

  async #restore({ automine, clock, impersonated }: ForkSettings): Promise<void> {
    const { engine } = this.options;
    this.#automine = automine;
    this.#clock.restore(clock);
    const before = new Set(impersonated);
    await restoreCheats(engine, clock, this.#impersonated, before);
    this.#impersonated = before;
  }

  /** Those above the engine's head, after a revert. */
  async #forgetBlocks(): Promise<void> {
    const { number } = await newestBlock(this.options.engine);
    this.#blocks = this.#blocks.filter((block) => block.number <= number);
  }
}

/** The revert is for a new engine to do. */
const RESTART = Symbol('restart');
