import { ApiError } from '../../api/errors';
import { EngineQueue, type EngineQueueOptions, type PoolMember } from './engine-queue';

export interface EnginePoolOptions extends EngineQueueOptions {
  /** Time without requests after which an engine is put to sleep. */
  idleMs: number;
  /** Calls back once, after a number of milliseconds. @returns a function that cancels the call */
  after: (ms: number, callback: () => void) => () => void;
}

interface PoolEntry {
  entered: number;
  /** Time from which it can be put to sleep for others although it is in use; undefined while its engine starts. */
  due?: number;
  /** Time since which it accepts no more requests. */
  leaving?: number;
  used: number;
  /** Mean time between its uses, in milliseconds; undefined before the first request. */
  interval?: number;
  /** Order of uses at the same time. */
  turn: number;
}

/** While others wait, a member is put to sleep after being unused for several of its intervals, within these bounds. */
const IDLE_INTERVALS = 4;
const MIN_QUIET_MS = 25;
const MAX_QUIET_MS = 250;
/** Weight of the newest interval in the mean. */
const NEWEST_SHARE = 0.25;
/** An engine runs at least as long as it took to start, up to this limit. */
const MAX_SLICE_MS = 20_000;
/** Interval at which the pool checks for due members while others wait. */
const CHECK_MS = 100;

/**
 * Decides which forks have an engine. A member that is unused for a while goes to sleep. If all places are occupied, new members wait in
 * order. They get the place of an unused member, or, after a slice, of the one that has run longest. That member then finishes its requests
 * and queues after the waiting ones. Subscriptions, filters and pooled transactions do not keep a fork awake: nothing happens while it
 * sleeps, and the fork and its journal keep them.
 */
export class EnginePool {
  readonly #entries = new Map<PoolMember, PoolEntry>();
  readonly #queue: EngineQueue;
  /** Engines that are lent to others than forks. */
  #lent = 0;
  #turn = 0;
  #cancelSweep: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;

  constructor(private readonly options: EnginePoolOptions) {
    this.#queue = new EngineQueue(options);
  }

  /** The clock of the pool, which forks use as well. */
  get clock(): Pick<EnginePoolOptions, 'now' | 'after'> {
    return this.options;
  }

  /**
   * Waits for a place, in the order of the calls.
   * @param ready resolves when the member can use a place
   * @throws ApiError enginesBusy, and the signal's reason
   */
  async enter(
    member: PoolMember,
    { signal, ready = Promise.resolve() }: { signal: AbortSignal; ready?: Promise<void> },
  ): Promise<void> {
    const waiting = this.#queue.add(member, signal);
    void ready.then(() => {
      waiting.isReady = true;
      this.#serve();
      this.#queue.refuseTooMany();
    });
    this.#look();
    await waiting.admitted;
  }

  /** Records that the engine of the member has started. */
  awake(member: PoolMember): void {
    const entry = this.#entries.get(member);
    if (!entry) return;
    const now = this.options.now();
    const slice = Math.min(now - entry.entered, MAX_SLICE_MS);
    entry.due = now + Math.max(this.options.sliceMs, slice);
    this.#use(entry);
  }

  /** Records that the engine has ended, for any reason. */
  leave(member: PoolMember): void {
    this.#entries.delete(member);
    this.#serve();
  }

  /** Records that a request of the member has ended. */
  used(member: PoolMember): void {
    const entry = this.#entries.get(member);
    if (!entry) return;
    const interval = this.options.now() - entry.used;
    entry.interval =
      entry.interval === undefined
        ? interval
        : entry.interval + NEWEST_SHARE * (interval - entry.interval);
    this.#use(entry);
    if (!isIdle(member)) return;
    this.#cancelSweep ??= this.options.after(this.options.idleMs, () => {
      this.#sweep();
    });
  }

  /**
   * Takes the place of an engine for something else than a fork, at once: forks that are unused give way, others get no place until there
   * is one again. The forks keep one place at least.
   * @returns what gives it back; safe to call again
   */
  lend(): () => void {
    this.#lent++;
    this.#look();
    let isLent = true;
    return () => {
      if (!isLent) return;
      isLent = false;
      this.#lent--;
      this.#serve();
    };
  }

  /** Refuses all waiting members. */
  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.#queue.refuseAll(new ApiError('cancelled', 'the service stops'));
    this.#look();
  }

  /** Places that forks have, and that are lent. */
  get places(): { forks: number; lent: number } {
    return { forks: this.#entries.size, lent: this.#lent };
  }

  /** Members that wait for a place. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Forks that may have an engine now. */
  get #limit(): number {
    return Math.max(1, this.options.maxRunning - this.#lent);
  }

  /** Forks whose places were lent. */
  get #surplus(): number {
    return Math.max(0, this.#entries.size - this.#limit);
  }

  #use(entry: PoolEntry): void {
    entry.used = this.options.now();
    entry.turn = this.#turn++;
  }

  /** Puts members to sleep that were unused for `idleMs`, and schedules the next check. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { idleMs, now, after } = this.options;
    const limit = now() - idleMs;
    let next: number | undefined;
    for (const [member, { used, leaving }] of this.#entries) {
      if (!isIdle(member) || leaving !== undefined) continue;
      if (used <= limit) this.#putToSleep(member);
      else next = Math.min(next ?? used, used);
    }
    if (next === undefined) return;
    this.#cancelSweep = after(next - limit, () => {
      this.#sweep();
    });
  }

  #serve(): void {
    while (this.#entries.size < this.#limit) {
      const next = this.#queue.takeReady();
      if (!next) break;
      const entered = this.options.now();
      this.#entries.set(next.member, { entered, used: entered, turn: this.#turn++ });
      next.admit();
    }
    this.#look();
  }

  /** Makes room for waiting members, and repeats this while there are any. */
  #look(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#queue.refuseOverdue();
    if (this.#queue.size === 0 && this.#surplus === 0) return;
    this.#cancelLook = this.options.after(this.#nextLook(), () => {
      this.#look();
    });
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { now, sliceMs } = this.options;
    const time = now();
    const ready = this.#queue.ready();
    const leaving = [...this.#entries.values()].flatMap((entry) => entry.leaving ?? []);
    let missing = ready.length + this.#surplus - leaving.length;
    for (const member of this.#unused(time).slice(0, Math.max(0, missing))) {
      this.#putToSleep(member);
      missing--;
    }
    // A member that takes long to finish its requests does not delay the ones that wait.
    const overdueStops = leaving.filter((since) => time - since >= sliceMs).length;
    const overdue = ready.filter(({ since }) => time - since >= sliceMs).length;
    missing = Math.min(missing + overdueStops, overdue + overdueStops - leaving.length);
    for (const member of this.#due(time).slice(0, Math.max(0, missing))) this.#putToSleep(member);
  }

  /** @returns milliseconds until a member can have become unused or due */
  #nextLook(): number {
    const time = this.options.now();
    const quiet = this.#active()
      .filter(([member, { due }]) => due !== undefined && isIdle(member))
      .map(([, entry]) => entry.used + idleAllowance(entry) - time)
      .filter((ms) => ms > 0);
    return Math.min(CHECK_MS, ...quiet);
  }

  #putToSleep(member: PoolMember): void {
    const entry = this.#entries.get(member);
    if (entry) entry.leaving = this.options.now();
    void member.sleep();
  }

  /** Unused members, least recently used first. */
  #unused(time: number): PoolMember[] {
    return this.#active()
      .filter(([member, entry]) => {
        return (
          entry.due !== undefined && isIdle(member) && time - entry.used >= idleAllowance(entry)
        );
      })
      .sort(([, { turn: a }], [, { turn: b }]) => a - b)
      .map(([member]) => member);
  }

  /** Members that have had their slice, the longest running first. */
  #due(time: number): PoolMember[] {
    return this.#active()
      .filter(([, { due = Infinity }]) => due <= time)
      .sort(([, { entered: a }], [, { entered: b }]) => a - b)
      .map(([member]) => member);
  }

  #active(): [PoolMember, PoolEntry][] {
    return [...this.#entries].filter(([, { leaving }]) => leaving === undefined);
  }
}

const idleAllowance = ({ interval = 0 }: PoolEntry): number =>
  Math.min(MAX_QUIET_MS, Math.max(MIN_QUIET_MS, IDLE_INTERVALS * interval));

const isIdle = ({ requests }: PoolMember): boolean => requests === 0;
