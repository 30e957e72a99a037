import PQueue from 'p-queue';
import { ApiError } from '../../api/errors';
import { EngineEndedError } from '../../evm/forms/engine-ended-error';
import { IncompleteChangeError } from '../../evm/forms/incomplete-change-error';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import type { BaseFeeRule } from '../../evm/families/op-stack/next-base-fee';
import type { OpUpgrade } from '../../evm/families/op-stack/upgrades';
import { LIMITS } from '../../api/limits';
import { blockTime, checkClockChange } from './block-time';
import { ChangeUndoneError } from './change-undone-error';
import { countTransactions, type ForkBlock } from './engine-blocks';
import { EntryRunner, RESTART, type EntryRunnerOptions } from './entry-runner';
import { ForkChain } from './fork-chain';
import type { ForkFeed } from './fork-feed';
import { IntervalMiner, type After } from './interval-miner';
import type {
  Executions,
  HistoryEntry,
  JournalContents,
  JournalEntry,
  NamedSnapshot,
} from './journal';
import type { JournalQuota } from './journal-quota';
import { withGas } from './next-block-calls';
import { OpStackFees } from './op-stack-fees';

/** Dependencies of the writing side of one fork. */
interface ForkWriterOptions extends Omit<EntryRunnerOptions, 'fees'> {
  /** Receives the fork's events. */
  feed: ForkFeed;
  /** How the base fee follows, if not by Ethereum's rule. */
  baseFee?: BaseFeeRule | undefined;
  /** The OP Stack upgrade that sets the fees of transactions; undefined: Ethereum's fees. */
  opStack?: OpUpgrade | undefined;
  /** Wall clock, milliseconds. */
  now: () => number;
  after: After;
  /** Called with the reason when interval mining stops. */
  onMiningFailed: (error: unknown) => void;
  /** Makes an entry durable. If this fails, the engine is ended. @returns the part that stays in memory */
  append: (entry: JournalEntry) => Promise<HistoryEntry>;
  /** Called when an entry is durable and its change is made. */
  onRecorded: (entry: JournalEntry) => void;
  quota: JournalQuota;
  /** Rewrites the journal. If this fails, the journal is unchanged. */
  rewrite: (contents: JournalContents) => Promise<boolean>;
}

/**
 * The writing side of one fork: every change passes through one queue and becomes a journal entry. Automine is implemented here (send, then
 * mine), so that the receipt exists when the send is answered.
 */
export class ForkWriter {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #miner: IntervalMiner;
  #sequence: number;

  private constructor(
    private readonly options: ForkWriterOptions,
    private readonly chain: ForkChain,
    private readonly runner: EntryRunner,
    /** Fees that the engine does not take. */
    readonly fees: OpStackFees | undefined,
  ) {
    this.#sequence = options.history.executed;
    this.#miner = new IntervalMiner(options.after, () => this.mine(1), options.onMiningFailed);
  }

  /** Executes the journal so far on the engine, which stands at the fork point. */
  static async start(options: ForkWriterOptions): Promise<ForkWriter> {
    const { engine, now, feed, blobGas, baseFee, opStack, abandon } = options;
    const fees = opStack && (await OpStackFees.open(engine, opStack));
    const chain = await ForkChain.at(engine, now, { blobGas, baseFee, fees, abandon });
    const runner = new EntryRunner({ ...options, fees }, chain);
    feed.restored(await runner.replay());
    const writer = new ForkWriter(options, chain, runner, fees);
    await feed.rewound(chain.head);
    await writer.#compact();
    writer.#miner.start(runner.interval);
    return writer;
  }

  /** How the base fee follows, if not by Ethereum's rule. */
  get baseFee(): BaseFeeRule | undefined {
    return this.options.baseFee;
  }

  get automine(): boolean {
    return this.runner.automine;
  }

  /** Impersonated accounts in lower case, in order of impersonation. */
  get impersonated(): readonly string[] {
    return this.runner.impersonated;
  }

  /** Blocks made on the fork, oldest first, without blocks of the forked chain and of a replayed prefix. */
  get blocks(): readonly ForkBlock[] {
    return this.chain.blocks;
  }

  /**
   * Whether the engine may lack states that a new engine would have. The engine counts reverted blocks among those whose states it keeps,
   * and a new engine does not mine them.
   */
  get mayLackStates(): boolean {
    const { mined, blocks } = this.chain;
    return mined > blocks.length && mined >= LIMITS.keptStates;
  }

  /** Seconds between blocks that are mined by time; undefined: none are. */
  get interval(): number | undefined {
    return this.runner.interval;
  }

  /** Stops interval mining, and waits for the changes under way. */
  close(): Promise<void> {
    this.#miner.stop();
    return this.#queue.add(() => Promise.resolve());
  }

  /** Time of a block mined now, Unix seconds. */
  get nextTime(): number {
    return this.chain.clock.next();
  }

  /** Named snapshots, oldest first. */
  get named(): readonly NamedSnapshot[] {
    return this.options.history.named;
  }

  /** Executes a change that is one call to the engine. @returns its result */
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
      // A later transaction of a bundle may depend on earlier ones.
      const isAlone = one !== undefined && others.length === 0;
      return {
        op: 'send',
        calls: isAlone ? [await withGas(this.options.engine, one, time)] : calls,
        ...(this.runner.automine ? { timestamp: blockTime(time) } : {}),
      };
    })) as string[];
  }

  /**
   * @param timestamp time of the first block
   * @param interval seconds between blocks, unless `anvil_setBlockTimestampInterval` has set another value
   */
  async mine(
    blocks: number,
    { timestamp, interval }: { timestamp?: number; interval?: number } = {},
  ): Promise<void> {
    await this.#do(() => {
      const first = timestamp ?? this.chain.clock.next();
      const spacing = this.chain.clock.state.interval ?? interval ?? 1;
      blockTime(first + (blocks - 1) * spacing);
      return { op: 'mine', blocks, timestamp: first, interval: spacing };
    });
  }

  async setAutomine(on: boolean): Promise<void> {
    await this.#do(() => ({ op: 'automine', on }));
  }

  /**
   * Mines a block at an interval while the fork is awake; transactions wait for it. A sleeping fork mines none, and continues when it
   * wakes.
   * @param seconds 0: blocks are mined neither by time nor with a transaction
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
   * Takes a snapshot that remains until it is deleted.
   * @returns undefined if there are `limit` of them already
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

  /** Deletes a named snapshot. @returns false if there is no such snapshot */
  async forget(id: string): Promise<boolean> {
    const { history } = this.options;
    const entry = { op: 'forget', id } as const;
    return (await this.#do(() => (history.isNamed(id) ? entry : undefined))) !== false;
  }

  /** @returns false if there is no such snapshot */
  async revert(id: string): Promise<boolean> {
    return (await this.#do(() => this.runner.planRevert(id))) !== false;
  }

  /** Reverts the fork to its default snapshot. */
  async reset(): Promise<void> {
    await this.revert(this.options.snapshotId);
  }

  /**
   * Executes one entry, makes it durable, and then answers: the only order. The engine is ended if its state may differ from the journal.
   */
  #do(next: () => JournalEntry | undefined | Promise<JournalEntry | undefined>): Promise<unknown> {
    return this.#queue.add(async () => {
      const before = this.blocks.length;
      let entry: JournalEntry | undefined;
      let result: unknown;
      try {
        const planned = await next();
        if (!planned) return false;
        if (grows(planned)) await this.options.quota.requireRoom();
        result = await this.#run(planned);
        entry = this.#done(planned, before);
      } catch (error) {
        // A refusal changed nothing; anything else may have stopped half-way.
        if (error instanceof RpcError || isRefusal(error)) throw error;
        await this.options.abandon();
        throw isUnanswered(error) ? new ChangeUndoneError(error) : error;
      }
      const kept = await this.options.append(entry);
      await this.#recorded(entry, kept, { before, result });
      if (result === RESTART) await this.options.abandon();
      return result;
    });
  }

  /** A revert needs no answer of the engine: if it fails, the next engine reverts by the journal. */
  async #run(entry: JournalEntry): Promise<unknown> {
    try {
      return await this.runner.run(entry);
    } catch (error) {
      if (entry.op !== 'revert') throw error;
      return RESTART;
    }
  }

  /**
   * Updates the history, the miner and the feed after an entry was written to the journal.
   * @param before number of blocks before the entry
   * @param result of a send: the hashes
   */
  async #recorded(
    entry: JournalEntry,
    kept: HistoryEntry,
    { before, result }: { before: number; result?: unknown },
  ): Promise<void> {
    const { history, feed, onRecorded } = this.options;
    history.add(kept);
    onRecorded(entry);
    if (entry.op === 'interval') this.#miner.start(this.runner.interval);
    else this.#miner.keep(this.runner.interval);
    if (entry.op === 'send') feed.sent(result as string[]);
    if (entry.op === 'revert') await feed.rewound(this.chain.head);
    else if (this.blocks.length > before) feed.mined();
    await this.#compact();
  }

  /** Adds the outcome to an entry. */
  #done(entry: JournalEntry, blocksBefore: number): JournalEntry {
    const mined = this.blocks.slice(blocksBefore);
    const count = countTransactions(mined);
    const executed = count === 0 ? {} : { executed: this.#executed(count) };
    if (entry.op === 'snapshot' || entry.op === 'keep') {
      return { ...entry, ...this.runner.poolMark };
    }
    if (entry.op !== 'send' || mined.length > 0) return { ...entry, ...executed };
    const { op, calls } = entry;
    return { op, calls };
  }

  #executed(count: number): Executions {
    const day = new Date(this.options.now()).toISOString().slice(0, 10);
    return { sequence: ++this.#sequence, day, count };
  }

  async #compact(): Promise<void> {
    const { history, rewrite, quota } = this.options;
    if (!history.needsCompaction && !quota.canShrink) return;
    const contents = history.compacted();
    if (await rewrite(contents)) history.rewritten(contents);
    else history.notRewritten();
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  ['journalFull', 'diskQuota', 'upstreamUnreachable'].includes(error.kind) &&
  !(error instanceof IncompleteChangeError);

const isUnanswered = (error: unknown): boolean =>
  error instanceof EngineEndedError ||
  (error instanceof ApiError &&
    error.kind === 'timedOut' &&
    !(error instanceof IncompleteChangeError));

/** Entries that undo something are always accepted. */
const grows = ({ op }: JournalEntry): boolean => op !== 'revert' && op !== 'forget';
