import { forkNotFound } from '../../api/errors';
import type { Fork, ForkState } from '../../api/fork';
import type { OnProgress } from '../../api/progress';
import type { EnginePool } from './engine-pool';
import { toFork, type ForkRecord } from './fork-record';
import { ForkRun, type AwakeFork } from './fork-run';
import { ForkStatus } from './fork-status';
import { knownJournal, type KnownJournal } from './known-journal';
import type { ForkPorts } from './ports';
import { ForkFilters } from '../reads/fork-filters';
import { ForkFeed } from '../writes/fork-feed';
import { History } from '../writes/history';
import type { JournalContents, NamedSnapshot } from '../writes/journal';
import { JournalQuota } from '../writes/journal-quota';

/** One fork: its record, its state, and its engine while it is awake. */
export class ManagedFork {
  readonly #status: ForkStatus;
  /** The run that accepts requests. */
  #run: ForkRun | undefined;
  /** Runs that are not over: the previous engine may still have requests to answer. */
  readonly #runs = new Set<ForkRun>();
  /** Resolves when all runs so far are over. */
  #over = Promise.resolve();
  #gone: Promise<void> | undefined;
  /** Undefined until the journal is read for the first time. */
  #known: KnownJournal | undefined;
  readonly #feed = new ForkFeed();
  readonly #filters: ForkFilters;
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
    this.#filters = new ForkFilters(this.#feed, ports.shared?.filtersOf(record.forkId));
  }

  /** Aborted when its deletion begins. */
  get deleted(): AbortSignal {
    return this.#deleted.signal;
  }

  /** Aborted when its present address is no longer valid. */
  get revoked(): AbortSignal {
    return this.#address.signal;
  }

  /** Replaces the secret of its address. */
  setSecret(secret: string): void {
    this.record.secret = secret;
    this.disconnect('the address was renewed');
  }

  /** Has clients connect again, to the same address or to another. @param why for the clients */
  disconnect(why: string): void {
    const old = this.#address;
    this.#address = new AbortController();
    old.abort(why);
  }

  get state(): ForkState {
    return this.#status.state;
  }

  /** How often it was reverted since this process loaded it. */
  get reverts(): number {
    return this.#status.reverts;
  }

  view(): Fork {
    const { state, failure } = this.#status;
    return toFork(this.record, this.ports.rpcUrl(this.record.secret), {
      state,
      failure,
      transactionCount: this.#known?.transactions(),
      journal: this.#known?.size(),
    });
  }

  /** Notifies clients of its state. */
  announce(): void {
    this.#status.announce();
  }

  /**
   * Runs a task on the fork, which stays awake until the task ends. If it has no engine, one is started and the journal is executed on it;
   * concurrent calls wait for the same start.
   * @throws ApiError forkNotFound after its deletion, or the reason if the engine does not start
   */
  async use<T>(task: (awake: AwakeFork) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#status.state === 'deleting') throw forkNotFound(this.record.forkId);
    this.#run ??= this.#begin(signal);
    return this.#run.use(task);
  }

  /** Runs a task if the fork is awake. @returns undefined if it is not */
  now<T>(task: (awake: AwakeFork) => T): T | undefined {
    return this.#status.state === 'deleting' ? undefined : this.#run?.now(task);
  }

  /** Ends the engine. The fork wakes at the next request; a request during the end waits for it. */
  async sleep(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.end()));
  }

  /** As `sleep`, after the requests under way are answered. */
  async rest(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.sleep()));
  }

  /** Ends the engine, and removes the journal and, through `forget`, the record. Can be called more than once. */
  delete(forget: () => Promise<void>): Promise<void> {
    return (this.#gone ??= this.#delete(forget));
  }

  /** Marks the fork as failed in advance, because its journal cannot be used. */
  fail(error: unknown): void {
    this.#status.fail(error);
  }

  /** Named snapshots, oldest first. Does not wake the fork. */
  async named(): Promise<readonly NamedSnapshot[]> {
    if (!this.#known) await this.readJournal();
    return this.#known?.named() ?? [];
  }

  /**
   * Reads the journal, without the payloads of large entries. Does not wake the fork.
   * @throws ApiError engineUnavailable for a journal that cannot be used
   */
  async readJournal(): Promise<JournalContents> {
    const { record, ports } = this;
    const { contents, bytes, close } = await ports.journals.read(record.forkId);
    await close();
    const history = new History(record.snapshotId, contents);
    const { size } = new JournalQuota(ports.journalLimits, { bytes }, history);
    this.#known = knownJournal(history.transactions, history.named, size);
    return contents;
  }

  async #delete(forget: () => Promise<void>): Promise<void> {
    this.#status.move('deleting');
    this.#deleted.abort(forkNotFound(this.record.forkId));
    this.#address.abort('the fork was deleted');
    await this.sleep();
    await this.ports.journals.remove(this.record.forkId, forget);
  }

  #begin(signal: AbortSignal | undefined): ForkRun {
    const { record, ports, pool, onProgress } = this;
    const run = new ForkRun({
      record,
      ports,
      pool,
      onProgress,
      status: this.#status,
      feed: this.#feed,
      filters: this.#filters,
      signal: signal ? AbortSignal.any([signal, this.deleted]) : this.deleted,
      previous: this.#over,
      onLeaving: (leaving) => {
        if (this.#run === leaving) this.#run = undefined;
      },
      onKnown: (known) => (this.#known = known),
    });
    this.#runs.add(run);
    this.#over = run.over.then(() => void this.#runs.delete(run));
    return run;
  }
}
