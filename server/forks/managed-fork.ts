import { ApiError, forkNotFound } from '../api/errors';
import type { Fork, ForkState } from '../api/fork';
import type { OnProgress } from '../api/progress';
import type { Engine } from '../ethereum/engine';
import { RpcError } from '../ethereum/json-rpc';
import type { ReplayComparison } from '../replay/compare-receipts';
import type { EnginePool, PoolMember } from './engine-pool';
import { originalHeadOf, rpcChainIdOf, toFork, type ForkRecord } from './fork-record';
import { ForkStatus } from './fork-status';
import { launchFork, type LaunchedFork } from './launch-fork';
import type { ForkPorts, Journal } from './ports';
import { ForkFilters } from './reads/fork-filters';
import type { RunningFork } from './reads/running-fork';
import { countTransactions } from './writes/engine-blocks';
import { ForkFeed } from './writes/fork-feed';
import { ForkNode } from './writes/fork-node';
import { History } from './writes/history';
import type { JournalEntry } from './writes/journal';

/** A running fork with the engine that it runs on. */
export interface AwakeFork extends RunningFork {
  process: Engine;
}

/** From the start of an engine to its end. */
interface Run {
  awake: Promise<AwakeFork>;
  /** The engine is gone, and what it still had to write is in the journal. */
  over: Promise<void>;
}

/** One fork: its record, its state, and its engine while it has one. */
export class ManagedFork implements PoolMember {
  readonly #status: ForkStatus;
  #run: Run | undefined;
  /** The run before is over. */
  #over = Promise.resolve();
  #gone: Promise<void> | undefined;
  /** Transactions that were made on it; undefined before anyone looked. */
  #transactions: (() => number) | undefined;
  #requests = 0;
  readonly #feed = new ForkFeed();
  readonly #filters = new ForkFilters(this.#feed);
  readonly #deleted = new AbortController();
  #address = new AbortController();

  constructor(
    readonly record: ForkRecord,
    private readonly ports: ForkPorts,
    private readonly pool: EnginePool,
    state: ForkState,
    private readonly onProgress?: OnProgress,
  ) {
    this.#status = new ForkStatus(record, ports.onChange, state);
  }

  get requests(): number {
    return this.#requests;
  }

  /** Aborted when its deletion begins. */
  get deleted(): AbortSignal {
    return this.#deleted.signal;
  }

  /** Aborted when its present address leads nowhere any more. */
  get revoked(): AbortSignal {
    return this.#address.signal;
  }

  /** From now on it has the address that the secret opens. */
  readdress(secret: string): void {
    this.record.secret = secret;
    const old = this.#address;
    this.#address = new AbortController();
    old.abort();
  }

  view(): Fork {
    const { state, failure } = this.#status;
    const transactionCount = this.#transactions?.();
    return toFork(this.record, this.ports.rpcUrl(this.record.secret), {
      state,
      failure,
      transactionCount,
    });
  }

  /** Tells clients where it stands. */
  announce(): void {
    this.#status.announce();
  }

  /** What its journal says of it, before it has an engine. */
  remember(history: History): void {
    const { transactions } = history;
    this.#transactions = () => transactions;
  }

  /**
   * Does something with the running fork, which stays awake meanwhile. Starts its engine where there is none, and does again
   * what its journal holds; who comes at the same time waits for the same start.
   * @throws ApiError forkNotFound once it is deleted, or why the engine does not start
   */
  async use<T>(task: (awake: AwakeFork) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#requests++;
    try {
      return await task(await this.#wake(signal));
    } finally {
      this.#requests--;
      this.pool.used(this);
    }
  }

  /** Ends the engine; the fork stays, and wakes at the next request: one that comes now waits for the end. */
  async sleep(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    const over = run?.over ?? this.#over;
    await run?.awake.then(
      ({ process }) => process.stop(),
      () => undefined,
    );
    await over;
  }

  /** Ends the engine, and removes the journal and, by `forget`, the record. Safe to call again. */
  delete(forget: () => Promise<void>): Promise<void> {
    return (this.#gone ??= this.#delete(forget));
  }

  /** The journal cannot be used: says so before anyone asks. */
  fail(error: unknown): void {
    this.#status.fail(error);
  }

  /** Named snapshots, oldest first. Does not wake the fork. */
  async history(): Promise<History> {
    const { forkId, snapshotId } = this.record;
    return new History(snapshotId, await this.ports.journals.read(forkId));
  }

  async #delete(forget: () => Promise<void>): Promise<void> {
    this.#status.move('deleting');
    this.#deleted.abort(forkNotFound(this.record.forkId));
    this.#address.abort();
    await this.sleep();
    await this.ports.journals.remove(this.record.forkId, forget);
  }

  #wake(signal: AbortSignal | undefined): Promise<AwakeFork> {
    if (this.#status.state === 'deleting') return Promise.reject(forkNotFound(this.record.forkId));
    this.#run ??= this.#begin(signal);
    return this.#run.awake;
  }

  #begin(signal: AbortSignal | undefined): Run {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const ended = async (rest: Promise<void>): Promise<void> => {
      // Who comes from now on waits for the next engine.
      if (this.#run === run) this.#run = undefined;
      await rest;
      this.pool.leave(this);
      end();
    };
    const run: Run = {
      over,
      awake: this.#over
        .then(() => this.#start(signal, ended))
        .catch(async (error: unknown) => {
          if (this.#status.state !== 'deleting') this.fail(error);
          await ended(Promise.resolve());
          throw error;
        }),
    };
    this.#over = over;
    return run;
  }

  async #start(
    signal: AbortSignal | undefined,
    ended: (rest: Promise<void>) => Promise<void>,
  ): Promise<AwakeFork> {
    const { record, ports } = this;
    const either = signal ? AbortSignal.any([signal, this.deleted]) : this.deleted;
    await this.pool.enter(this, either);
    // Before an engine is started in vain.
    const { journal, contents } = await ports.journals.open(record.forkId);
    let process: Engine | undefined;
    try {
      const launched = await launchFork(record, ports, either, (progress) => {
        this.onProgress?.(progress);
        this.#status.announce(progress);
      });
      process = launched.engine;
      if (launched.prefix) this.#tellReplay(launched.prefix.comparison);
      const history = new History(record.snapshotId, contents);
      const node = await this.#nodeOf(process, journal, history);
      either.throwIfAborted();
      this.#transactions = () => countTransactions(node.blocks);
      this.#status.move('running');
      void process.exited.then(() => ended(this.#close(node, journal)));
      return this.#awake(launched, node);
    } catch (error) {
      await process?.stop();
      await journal.close();
      if (either.aborted) throw new ApiError('cancelled', 'the start was cancelled');
      if (!(error instanceof RpcError)) throw error;
      throw new ApiError(
        'engineUnavailable',
        `what was done on the fork cannot be done again: ${error.message}`,
        { cause: error },
      );
    }
  }

  #awake({ engine, upstream, prefix }: LaunchedFork, node: ForkNode): AwakeFork {
    const { record, ports } = this;
    return {
      node,
      feed: this.#feed,
      filters: this.#filters,
      process: engine,
      engine: engine.rpc,
      upstream,
      chainId: rpcChainIdOf(record),
      antiReplay: record.antiReplay,
      forkBlock: record.base,
      originalHead: originalHeadOf(record),
      hardfork: record.hardfork,
      ...(prefix ? { replayed: prefix.block } : {}),
      traceOriginal: (call, place) =>
        ports.traceOriginal(ports.chains.bySlug(record.chain), call, place),
    };
  }

  /** How faithful the replayed transactions are: in its record, and where they are not, in the log. */
  #tellReplay({ firstDifference, foreign }: ReplayComparison): void {
    const { record, ports } = this;
    record.replay = {
      faithful: firstDifference === undefined,
      ...(firstDifference === undefined ? {} : { firstDifference }),
      ...(foreign === undefined ? {} : { foreign }),
    };
    if (firstDifference === undefined) return;
    ports.log.warn(
      { forkId: record.forkId, chain: record.chain, difference: firstDifference },
      'the replayed transactions of the fork differ from the originals',
    );
  }

  async #close(node: ForkNode, journal: Journal): Promise<void> {
    // A change that the engine had made yet may still be on its way to the journal.
    await node.settled();
    await journal.close();
    const made = countTransactions(node.blocks);
    this.#transactions = () => made;
    if (this.#status.state === 'running') this.#status.move('sleeping');
  }

  #nodeOf(process: Engine, journal: Journal, history: History): Promise<ForkNode> {
    const { record, ports } = this;
    let counted = Promise.resolve();
    return ForkNode.start({
      engine: process.rpc,
      snapshotId: record.snapshotId,
      history,
      feed: this.#feed,
      now: () => ports.clock().getTime(),
      record: async (entry) => {
        await append(journal, process, entry);
        this.#status.announceEntry(entry);
        if (!entry.executed) return;
        // The journal has it: nobody waits for the statistics.
        counted = ports.countTransactions(record, entry.executed).catch((error: unknown) => {
          ports.log.warn({ err: error, forkId: record.forkId }, 'the statistics were not written');
        });
      },
      rewrite: async (contents) => {
        try {
          await counted;
          await journal.rewrite(contents);
          return true;
        } catch (error) {
          ports.log.warn({ err: error, forkId: record.forkId }, 'the journal was not compacted');
          return false;
        }
      },
      abandon: async () => {
        await process.stop();
      },
    });
  }
}

/** @throws ApiError; the engine, which knows what the journal does not, has ended then */
async function append(journal: Journal, process: Engine, entry: JournalEntry): Promise<void> {
  try {
    await journal.append(entry);
  } catch (error) {
    await process.stop();
    if (error instanceof ApiError) throw error;
    throw new ApiError('internal', 'the change could not be made durable', { cause: error });
  }
}
