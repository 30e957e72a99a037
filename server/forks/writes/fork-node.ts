import { ApiError } from '../../api/errors';
import { RpcError, type RpcCall } from '../../ethereum/json-rpc';
import { newestBlock, restoreImpersonation, restoreTime, type ForkBlock } from './engine-blocks';
import { ForkChain } from './fork-chain';
import type { JournalEntry, NamedSnapshot } from './journal';
import type { ForkNodeOptions } from '../ports';
import { sendTransactions } from './send-transactions';
import { SerialQueue } from '../../serial-queue';
import { Snapshots, type ForkSettings } from './snapshots';
import { poolMark, putIntoPool } from './transaction-pool';

/**
 * The writing side of one fork: every change goes through one queue and is a journal entry. What users see as automine is
 * done here (send, then mine), so that a receipt is there when the send is answered.
 */
export class ForkNode {
  readonly #queue = new SerialQueue();
  readonly #snapshots: Snapshots;
  #automine = true;
  #impersonated = new Set<unknown>();
  /** The journal is being carried out: its sends are known to succeed. */
  #replaying = true;
  #sequence: number;

  private constructor(
    private readonly options: ForkNodeOptions,
    private readonly chain: ForkChain,
  ) {
    this.#snapshots = new Snapshots(options.engine);
    this.#sequence = options.history.executed;
  }

  /** Carries out on the engine, which stands at the fork point, what was done on the fork before. */
  static async start(options: ForkNodeOptions): Promise<ForkNode> {
    const { engine, now, history, snapshotId, feed } = options;
    const chain = await ForkChain.at(engine, now);
    const node = new ForkNode(options, chain);
    await node.#take(snapshotId);
    for (const entry of history.script) await node.#apply(entry);
    await chain.read();
    node.#replaying = false;
    feed.rewound(chain.head);
    await node.#compact();
    return node;
  }

  get automine(): boolean {
    return this.#automine;
  }

  /** Blocks made on the fork, oldest first; those of the forked chain and of a replayed prefix are none of them. */
  get blocks(): readonly ForkBlock[] {
    return this.chain.blocks;
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
      ...(this.#automine ? { timestamp: this.chain.clock.next() } : {}),
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
      timestamp: timestamp ?? this.chain.clock.next(),
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

  /**
   * Takes a snapshot that stays until it is deleted.
   * @returns undefined where there are `limit` of them already
   */
  async keep(
    snapshot: Omit<NamedSnapshot, 'blockNumber'>,
    limit: number,
  ): Promise<NamedSnapshot | undefined> {
    const kept = await this.#do(async () => {
      if (this.options.history.named.length >= limit) return undefined;
      const { number: blockNumber } = await newestBlock(this.options.engine);
      return {
        op: 'keep',
        snapshot: { ...snapshot, blockNumber },
        ...(await poolMark(this.options.engine)),
      };
    });
    return kept === false ? undefined : (kept as NamedSnapshot);
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
    const { history, abandon, feed } = this.options;
    return this.#queue.add(async () => {
      const before = this.blocks.length;
      let planned: JournalEntry | undefined;
      let result: unknown;
      try {
        planned = await next();
        if (!planned) return false;
        result = await this.#apply(planned);
      } catch (error) {
        // A refusal changed nothing; anything else may have stopped half-way.
        if (error instanceof RpcError && planned?.op !== 'revert') throw error;
        await abandon();
        throw isUnanswered(error) ? undone(error) : error;
      }
      const entry = this.#done(planned, before);
      await this.options.record(entry);
      history.add(entry);
      if (entry.op === 'send') feed.sent(result as string[]);
      if (entry.op === 'revert') feed.rewound(this.chain.head);
      else if (this.blocks.length > before) feed.mined();
      if (result === RESTART) await abandon();
      else await this.#compact();
      return result;
    });
  }

  /** With what became of it. */
  #done(entry: JournalEntry, blocksBefore: number): JournalEntry {
    const mined = this.blocks.slice(blocksBefore);
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
    else history.notRewritten();
  }

  /** Depends on nothing but the entry and the state: it is also how a journal is replayed. */
  async #apply(entry: JournalEntry): Promise<unknown> {
    switch (entry.op) {
      case 'call':
        return this.#call(entry);
      case 'send':
        return this.#send(entry.calls, entry.timestamp);
      case 'mine':
        await this.chain.mine(entry.blocks, entry.timestamp, entry.interval);
        return null;
      case 'automine':
        this.#automine = entry.on;
        return null;
      case 'snapshot':
        await this.#take(entry.id);
        return entry.id;
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
    const { clock } = this.chain;
    const [first] = params;
    const value = Number(first);
    if (method === 'evm_increaseTime') clock.increase(value);
    else if (method === 'evm_setNextBlockTimestamp') clock.setNext(value);
    else if (method === 'evm_setTime') clock.set(value);
    else if (method === 'anvil_setBlockTimestampInterval') clock.setInterval(value);
    else if (method === 'anvil_removeBlockTimestampInterval') clock.setInterval(undefined);
    else if (method === 'anvil_impersonateAccount') this.#impersonated.add(first);
    else if (method === 'anvil_stopImpersonatingAccount') this.#impersonated.delete(first);
    return result;
  }

  async #send(calls: readonly RpcCall[], timestamp: number | undefined): Promise<string[]> {
    const { engine, abandon } = this.options;
    const { chain } = this;
    if (!this.#replaying) return sendTransactions({ engine, chain, abandon }, calls, timestamp);
    const hashes = await putIntoPool(engine, calls);
    if (timestamp !== undefined) await chain.mineOne(timestamp);
    return hashes;
  }

  #take(id: string): Promise<void> {
    return this.#snapshots.take(id, {
      automine: this.#automine,
      clock: this.chain.clock.state,
      impersonated: [...this.#impersonated],
    });
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
    const { snapshotId, history } = this.options;
    const snapshot = this.#snapshots.find(id);
    if (!snapshot && !inline) return RESTART;
    const stays = this.#replaying || id === snapshotId || history.isNamed(id);
    if (!snapshot || !(await this.#snapshots.revert(snapshot, stays))) {
      throw new RpcError(-32603, `the engine has lost snapshot ${id}`);
    }
    await this.#restore(snapshot.fork);
    await this.chain.rewound();
    return true;
  }

  async #restore({ automine, clock, impersonated }: ForkSettings): Promise<void> {
    const { engine } = this.options;
    const before = new Set(impersonated);
    await restoreTime(engine, clock);
    await restoreImpersonation(engine, this.#impersonated, before);
    this.#automine = automine;
    this.chain.clock.restore(clock);
    this.#impersonated = before;
  }
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && ['upstreamUnreachable', 'timedOut'].includes(error.kind);

/** What the journal does not have is not on the next engine. */
const undone = (cause: unknown): ApiError =>
  new ApiError(
    'engineUnavailable',
    "the fork's engine ended before it answered, and the change was not made; ask again",
    { cause },
  );

/** The revert is for a new engine to do. */
const RESTART = Symbol('restart');
