import { ApiError, type ApiErrorName } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import type { Engine } from '../../evm/forms/engine';
import { RpcError } from '../../evm/forms/json-rpc';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import type { ReplayComparison } from '../../execution/prefix/compare-receipts';
import type { EnginePool } from './engine-pool';
import { countExecutions } from './count-executions';
import { endWith, orEnd } from './end-with-journal';
import type { PoolMember } from './engine-queue';
import { delegationWarning } from './fork-accounts';
import {
  feeRulesOf,
  originalHeadOf,
  replayOf,
  rpcChainIdOf,
  rulesOf,
  type ForkRecord,
} from './fork-record';
import type { ForkStatus } from './fork-status';
import { knownJournal, type KnownJournal } from './known-journal';
import { launchFork, type LaunchedFork } from './launch-fork';
import type { ForkPorts, Journal } from './ports';
import { headOf } from '../reads/block-numbers';
import type { ForkFilters } from '../reads/fork-filters';
import type { RunningFork } from '../reads/running-fork';
import { countTransactions } from '../writes/engine-blocks';
import type { ForkFeed } from '../writes/fork-feed';
import { ForkWriter } from '../writes/fork-writer';
import { History } from '../writes/history';
import { JournalQuota } from '../writes/journal-quota';

/** A running fork and its engine. */
export interface AwakeFork extends RunningFork {
  process: Engine;
}

/** Another node runs the fork from now on. */
export const forkMoves = (forkId: string): ApiError =>
  new ApiError('forkElsewhere', `fork ${forkId} moves to another node; try again in 1 s`, {
    retryAfter: 1,
  });

/** Errors after which the next request may start the fork. */
const TEMPORARY: ReadonlySet<ApiErrorName> = new Set([
  'enginesBusy',
  'engineQuota',
  'databaseUnavailable',
  'forkElsewhere',
]);

interface ForkRunOptions {
  record: ForkRecord;
  ports: ForkPorts;
  pool: EnginePool;
  status: ForkStatus;
  feed: ForkFeed;
  filters: ForkFilters;
  onProgress: OnProgress | undefined;
  /** Cancels the start. */
  signal: AbortSignal;
  /** Resolves when the previous run is over. */
  previous: Promise<void>;
  /** Called when the run accepts no more requests. */
  onLeaving: (run: ForkRun) => void;
  onKnown: (known: KnownJournal) => void;
}

/** One engine of a fork, from the wait for a place to its end. */
export class ForkRun implements PoolMember {
  /** Resolves when the engine has ended, its last entries are in the journal, and all previous runs are over. */
  readonly over: Promise<void>;
  readonly #awake: Promise<AwakeFork>;
  /** Set when the engine has started. */
  #ready: AwakeFork | undefined;
  #end: () => void = () => undefined;
  #requests = 0;
  #isLeaving = false;
  #wasNearlyFull = false;

  constructor(private readonly options: ForkRunOptions) {
    const ended = new Promise<void>((resolve) => (this.#end = resolve));
    this.over = options.previous.then(() => ended);
    this.#awake = this.#start().catch(async (error: unknown) => {
      const { status } = options;
      const hasFailed = !(error instanceof ApiError && TEMPORARY.has(error.kind));
      if (hasFailed && status.state !== 'deleting') status.fail(error);
      await this.#ended(Promise.resolve());
      throw error;
    });
  }

  get requests(): number {
    return this.#requests;
  }

  /**
   * Runs a task on the running fork, which stays awake until the task ends. @throws ApiError with the reason if the engine does not start
   */
  async use<T>(task: (awake: AwakeFork) => Promise<T>): Promise<T> {
    this.#requests++;
    try {
      return await task(await this.#awake);
    } finally {
      this.#requests--;
      if (this.#isLeaving && this.#requests === 0) void this.end();
      this.options.pool.used(this);
    }
  }

  /** Runs a task if the fork is awake. The task must neither wait nor keep its argument. */
  now<T>(task: (awake: AwakeFork) => T): T | undefined {
    if (!this.#ready || this.#isLeaving) return undefined;
    this.options.pool.used(this);
    return task(this.#ready);
  }

  /** Accepts no more requests, and ends when those under way are answered. */
  sleep(): Promise<void> {
    this.#leave();
    return this.#requests === 0 ? this.end() : this.over;
  }

  /** Ends the engine now. */
  async end(): Promise<void> {
    this.#leave();
    await this.#awake.then(
      ({ process }) => process.stop(),
      () => undefined,
    );
    await this.over;
  }

  #leave(): void {
    this.#isLeaving = true;
    this.options.onLeaving(this);
  }

  async #ended(rest: Promise<void>): Promise<void> {
    this.#leave();
    await rest;
    this.options.pool.leave(this);
    this.#end();
  }

  async #start(): Promise<AwakeFork> {
    const { ports, record, previous } = this.options;
    if (ports.quotas) {
      await previous;
      void this.over.then(await ports.quotas.wake(record.projectId, record.forkId));
    }
    return this.#startEngine();
  }

  async #startEngine(): Promise<AwakeFork> {
    const { record, ports, pool, previous, signal, status } = this.options;
    const isWake = status.state !== 'creating';
    const since = ports.pool.clock.now();
    await pool.enter(this, { signal, ready: previous });
    if (ports.shared?.mayStart() === false) throw forkMoves(record.forkId);
    // The journal is opened first, so that a damaged one does not cost the start of an engine.
    const { journal, contents } = await ports.journals.open(record.forkId);
    // A node that was killed may have counted less than it wrote. A store of one node counts at its start.
    if (ports.shared) countExecutions(record, contents, ports);
    let process: Engine | undefined;
    try {
      const launched = await launchFork(record, ports, signal, (progress) => {
        this.options.onProgress?.(progress);
        status.announce(progress);
      });
      process = launched.engine;
      endWith(journal, process);
      if (launched.prefix) this.#logReplay(launched.prefix.comparison);
      this.#logUndelegated(launched.undelegated);
      const history = new History(record.snapshotId, contents);
      const quota = new JournalQuota(ports.journalLimits, journal, history, async (grown) =>
        ports.quotas?.requireDisk(record.projectId, grown),
      );
      const parts = { process, blobGas: launched.blobGas, journal, history, quota };
      const writer = await this.#writerOf(parts);
      const awake = this.#awakeFork(launched, writer);
      await this.options.filters.load(headOf(awake));
      signal.throwIfAborted();
      this.options.onKnown({
        transactions: () => countTransactions(writer.blocks),
        named: () => writer.named,
        size: () => quota.size,
      });
      status.move('running');
      pool.awake(this);
      if (isWake) ports.onWake?.(record.forkId, ports.pool.clock.now() - since);
      void process.exited.then(() => this.#ended(this.#close({ writer, journal, quota })));
      return (this.#ready = awake);
    } catch (error) {
      await process?.stop();
      await journal.close();
      if (signal.aborted) throw new ApiError('cancelled', 'the start was cancelled');
      if (!(error instanceof RpcError)) throw error;
      throw new ApiError(
        'engineUnavailable',
        `the changes of the fork cannot be applied again: ${error.message}`,
        { cause: error },
      );
    }
  }

  #awakeFork(launched: LaunchedFork, writer: ForkWriter): AwakeFork {
    const { engine, upstream, prefix, keys, blobGas } = launched;
    const { record, ports, feed, filters } = this.options;
    return {
      writer,
      feed,
      filters,
      process: engine,
      engine: engine.rpc,
      upstream,
      chainId: rpcChainIdOf(record),
      antiReplay: record.antiReplay,
      keys,
      forkBlock: record.base,
      originalHead: originalHeadOf(record),
      ...rulesOf(record),
      blobGas,
      executor: ports.executor,
      ...(prefix ? { replayed: prefix.block } : {}),
      traceOriginal: (call, position) =>
        ports.traceOriginal(ports.chains.bySlug(record.chain), call, position),
    };
  }

  /** Records in the fork's record how faithful the replay is, and logs a difference. */
  #logReplay(comparison: ReplayComparison): void {
    const { record, ports } = this.options;
    const { firstDifference } = comparison;
    record.replay = replayOf(comparison);
    if (firstDifference === undefined) return;
    ports.log.warn(
      { forkId: record.forkId, chain: record.chain, difference: firstDifference },
      'the replayed transactions of the fork differ from the originals',
    );
  }

  #logUndelegated(addresses: readonly string[]): void {
    const { record } = this.options;
    if (addresses.length === 0) return;
    const warning = delegationWarning(addresses);
    const known = record.warnings ?? [];
    if (!known.includes(warning)) record.warnings = [...known, warning];
  }

  async #close({ writer, journal, quota }: Parts): Promise<void> {
    const { status, onKnown } = this.options;
    // A change that the engine has made may still be on its way to the journal.
    await writer.close();
    await journal.close();
    onKnown(knownJournal(countTransactions(writer.blocks), writer.named, quota.size));
    if (status.state === 'running') status.move('sleeping');
  }

  #writerOf({
    process,
    blobGas,
    journal,
    history,
    quota,
  }: Omit<Parts, 'writer'> & Started): Promise<ForkWriter> {
    const { record, ports, status, feed } = this.options;
    let counted = Promise.resolve();
    return ForkWriter.start({
      engine: process.rpc,
      ...feeRulesOf(record),
      ...rulesOf(record),
      blobGas,
      snapshotId: record.snapshotId,
      history,
      quota,
      feed,
      now: () => ports.clock().getTime(),
      after: ports.pool.clock.after,
      onMiningFailed: (error) => {
        ports.log.warn(
          { err: error, forkId: record.forkId },
          'interval mining stops until the fork wakes',
        );
      },
      append: (entry) => orEnd(process, journal.append(entry)),
      onRecorded: (entry) => {
        this.#reportQuota(quota);
        status.announceEntry(entry);
        if (!entry.executed) return;
        // The entry is in the journal, so no request waits for the statistics.
        counted = ports.countTransactions(record, entry.executed).catch((error: unknown) => {
          ports.log.warn({ err: error, forkId: record.forkId }, 'the statistics were not written');
        });
      },
      rewrite: async (contents) => {
        try {
          await counted;
          await journal.rewrite(contents);
          this.#reportQuota(quota);
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

  #reportQuota({ isNearlyFull, size }: JournalQuota): void {
    const { record, ports, status } = this.options;
    if (isNearlyFull === this.#wasNearlyFull) return;
    this.#wasNearlyFull = isNearlyFull;
    status.announce();
    if (!isNearlyFull) return;
    const { forkId } = record;
    ports.log.warn({ forkId, ...size }, 'the changes of a fork use most of the allowed space');
  }
}

interface Parts {
  writer: ForkWriter;
  journal: Journal;
  quota: JournalQuota;
}

interface Started {
  process: Engine;
  blobGas: EngineBlobGas | undefined;
  history: History;
}
