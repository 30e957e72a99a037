import PQueue from 'p-queue';
import { ApiError } from '../../api/errors';
import { EngineUnanswered } from '../../ethereum/engine-unanswered';
import { RpcError, type RpcCall } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';
import { blockTime, checkClockChange } from './block-time';
import { ChangeUndone } from './change-undone';
import { countTransactions, type ForkBlock } from './engine-blocks';
import { EntryRunner, RESTART, type EntryRunnerOptions } from './entry-runner';
import { ForkChain } from './fork-chain';
import type { ForkFeed } from './fork-feed';
import { IntervalMiner, type After } from './interval-miner';
import type { JournalContents, JournalEntry, KeptEntry, NamedSnapshot } from './journal';
import type { JournalQuota } from './journal-quota';
import { withGas } from './next-block-calls';

/** What the writing side of one fork needs. */
interface ForkNodeOptions extends EntryRunnerOptions {
  /** Told of what happens. */
  feed: ForkFeed;
  /** Wall clock, milliseconds. */
  now: () => number;
  after: After;
  /** Told why interval mining has stopped. */
  onMiningFailed: (error: unknown) => void;
  /** Makes an entry durable. @returns what memory keeps of it */
  record: (entry: JournalEntry) => Promise<KeptEntry>;
  quota: JournalQuota;
  /** Writes the journal anew; it may fail, and stays as it is then. */
  rewrite: (contents: JournalContents) => Promise<boolean>;
}

/**
 * The writing side of one fork: every change goes through one queue and is a journal entry. What users see as automine is
 * done here (send, then mine), so that a receipt is there when the send is answered.
 */
export class ForkNode {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #miner: IntervalMiner;
  #sequence: number;

  private constructor(
    private readonly options: ForkNodeOptions,
    private readonly chain: ForkChain,
    private readonly runner: EntryRunner,
  ) {
    this.#sequence = options.history.executed;
    this.#miner = new IntervalMiner(options.after, () => this.mine(1), options.onMiningFailed);
  }

  /** Carries out on the engine, which stands at the fork point, what was done on the fork before. */
  static async start(options: ForkNodeOptions): Promise<ForkNode> {
    const { engine, now, feed } = options;
    const chain = await ForkChain.at(engine, now);
    const runner = new EntryRunner(options, chain);
    await runner.replay();
    const node = new ForkNode(options, chain, runner);
    feed.rewound(chain.head);
    await node.#compact();
    node.#miner.start(runner.interval);
    return node;
  }

  get automine(): boolean {
    return this.runner.automine;
  }

  /** Impersonated accounts in lower case, in the order in which they came. */
  get impersonated(): readonly string[] {
    return this.runner.impersonated;
  }

  /** Blocks made on the fork, oldest first; those of the forked chain and of a replayed prefix are none of them. */
  get blocks(): readonly ForkBlock[] {
    return this.chain.blocks;
  }

  /**
   * The engine counts reverted blocks among those whose states it keeps: after many reverts it lacks states that a new engine, which
   * mines none of these blocks, has.
   */
  get mayLackStates(): boolean {
    const { mined, blocks } = this.chain;
    return mined > blocks.length && mined >= LIMITS.keptStates;
  }

  /** Seconds between blocks that are mined by time; undefined: none are. */
  get interval(): number | undefined {
    return this.runner.interval;
  }

  /** Mines no more by time, and waits for the changes under way. */
  close(): Promise<void> {
    this.#miner.stop();
    return this.#queue.add(() => Promise.resolve());
  }

  /** Unix seconds of a block that were mined now. */
  get nextTime(): number {
    return this.chain.clock.next();
  }

  /** Named snapshots, oldest first. */
  get named(): readonly NamedSnapshot[] {
    return this.options.history.named;
  }

  /** A change that the engine makes by itself. @returns its answer */
  change(call: RpcCall): Promise<unknown> {
    return this.#do(() => {
      checkClockChange(call, this.chain.clock);
      return { op: 'call', ...call };
    });
  }

  /** @returns the hashes, in order. With automine the transactions are executed, together in one block. */
  async send(calls: readonly RpcCall[]): Promise<string[]> {
    return (await this.#do(async () => {
      const time = this.nextTime;
      const [one, ...others] = calls;
      // A later one of a bundle may need what the earlier ones do.
      const isAlone = one !== undefined && others.length === 0;
      return {
        op: 'send',
        calls: isAlone ? [await withGas(this.options.engine, one, time)] : calls,
        ...(this.runner.automine ? { timestamp: blockTime(time) } : {}),
      };
    })) as string[];
  }

  /**
   * @param timestamp of the first block
   * @param interval seconds between blocks, where `anvil_setBlockTimestampInterval` has set no other
   */
  async mine(
    blocks: number,
    { timestamp, interval }: { timestamp?: number; interval?: number } = {},
  ): Promise<void> {
    await this.#do(() => {
      const first = timestamp ?? this.chain.clock.next();
      const apart = this.chain.clock.state.interval ?? interval ?? 1;
      blockTime(first + (blocks - 1) * apart);
      return { op: 'mine', blocks, timestamp: first, interval: apart };
    });
  }

  async setAutomine(on: boolean): Promise<void> {
    await this.#do(() => ({ op: 'automine', on }));
  }

  /**
   * Mines a block every so many seconds while the fork is awake; transactions wait for it. A fork that sleeps mines none, and goes on
   * when it wakes.
   * @param seconds 0: no block is mined by time, nor with a transaction
   */
  async setInterval(seconds: number): Promise<void> {
    await this.#do(() => ({ op: 'interval', seconds }));
  }

  async snapshot(): Promise<string> {
    return (await this.#do(() => ({
      op: 'snapshot',
      id: this.options.history.nextId,
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
    const kept = await this.#do(() => {
      if (this.options.history.named.length >= limit) return undefined;
      return { op: 'keep', snapshot: { ...snapshot, blockNumber: this.chain.head } };
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
    return (await this.#do(() => this.runner.planRevert(id))) !== false;
  }

  /** Takes the fork back to its default snapshot. */
  async reset(): Promise<void> {
    await this.revert(this.options.snapshotId);
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
        if (grows(planned)) this.options.quota.requireRoom();
        result = await this.runner.run(planned);
      } catch (error) {
        // A refusal changed nothing; anything else may have stopped half-way.
        if (error instanceof RpcError && planned?.op !== 'revert') throw error;
        if (isRefusal(error)) throw error;
        await abandon();
        throw isUnanswered(error) ? new ChangeUndone(error) : error;
      }
      const entry = this.#done(planned, before);
      history.add(await this.options.record(entry));
      if (entry.op === 'interval') this.#miner.start(this.runner.interval);
      else this.#miner.keep(this.runner.interval);
      if (entry.op === 'send') feed.sent(result as string[]);
      if (entry.op === 'revert') feed.rewound(this.chain.head);
      else if (this.blocks.length > before) feed.mined();
      await this.#compact();
      if (result === RESTART) await abandon();
      return result;
    });
  }

  /** With what became of it. */
  #done(entry: JournalEntry, blocksBefore: number): JournalEntry {
    const mined = this.blocks.slice(blocksBefore);
    const count = countTransactions(mined);
    const day = new Date(this.options.now()).toISOString().slice(0, 10);
    const executed = count === 0 ? {} : { executed: { sequence: ++this.#sequence, day, count } };
    if (entry.op === 'snapshot' || entry.op === 'keep') {
      return { ...entry, ...this.runner.poolMark };
    }
    if (entry.op !== 'send' || mined.length > 0) return { ...entry, ...executed };
    const { op, calls } = entry;
    return { op, calls };
  }

  async #compact(): Promise<void> {
    const { history, rewrite, quota } = this.options;
    if (!history.isWasteful && !quota.canShrink) return;
    const contents = history.compacted();
    if (await rewrite(contents)) history.rewritten(contents);
    else history.notRewritten();
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'journalFull';

const isUnanswered = (error: unknown): boolean =>
  error instanceof EngineUnanswered || (error instanceof ApiError && error.kind === 'timedOut');

/** Those that take something back are always accepted. */
const grows = ({ op }: JournalEntry): boolean => op !== 'revert' && op !== 'forget';
