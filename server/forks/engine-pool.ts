import { ApiError } from '../api/errors';
import { EngineQueue, type EngineQueueOptions, type PoolMember } from './engine-queue';

export interface EnginePoolOptions extends EngineQueueOptions {
  /** How long an engine may be unused. */
  idleMs: number;
  /** Calls back once, after so many milliseconds. @returns what cancels it */
  after: (ms: number, callback: () => void) => () => void;
}

interface Place {
  entered: number;
  /** When it can be put to sleep for others, unless it is unused; undefined while its engine starts. */
  due?: number;
  /** Since then it takes no more requests. */
  leaving?: number;
  used: number;
  /** Mean time between its uses, in milliseconds; undefined before the first request. */
  interval?: number;
  /** The order of uses at the same time. */
  turn: number;
}

/** A member that was unused for several of its intervals gives its place to others at once, within these bounds. */
const QUIET_INTERVALS = 4;
const MIN_QUIET_MS = 25;
const MAX_QUIET_MS = 250;
/** Weight of the newest interval in the mean. */
const NEWEST_SHARE = 0.25;
/** An engine runs at least as long as it took to start, up to this limit. */
const MAX_SLICE_MS = 20_000;
/** While somebody waits, the pool looks at least this often whether a member is due. */
const LOOK_MS = 100;

/**
 * Decides which forks have an engine. A member that is unused for a while goes to sleep. Where all places are taken, newcomers wait in
 * their order: for a member that is unused, else, after a slice, for the one that has run longest, which then ends what is under way and
 * takes its next turn behind those that wait. Neither subscriptions and filters nor transactions that wait in a pool keep a fork awake:
 * nothing happens while it sleeps, and the fork and its journal have them.
 */
export class EnginePool {
  readonly #places = new Map<PoolMember, Place>();
  readonly #queue: EngineQueue;
  #turn = 0;
  #cancelSweep: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;

  constructor(private readonly options: EnginePoolOptions) {
    this.#queue = new EngineQueue(options);
  }

  /**
   * Waits for a place, in the order of the calls.
   * @param ready the member can use a place from then on
   * @throws ApiError enginesBusy, and the reason of the signal
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

  /** The engine of the member has started. */
  awake(member: PoolMember): void {
    const place = this.#places.get(member);
    if (!place) return;
    const now = this.options.now();
    const slice = Math.min(now - place.entered, MAX_SLICE_MS);
    place.due = now + Math.max(this.options.sliceMs, slice);
    this.#use(place);
  }

  /** The engine is gone, for whatever reason. */
  leave(member: PoolMember): void {
    this.#places.delete(member);
    this.#serve();
  }

  /** A request of the member has ended. */
  used(member: PoolMember): void {
    const place = this.#places.get(member);
    if (!place) return;
    const interval = this.options.now() - place.used;
    place.interval =
      place.interval === undefined
        ? interval
        : place.interval + NEWEST_SHARE * (interval - place.interval);
    this.#use(place);
    if (!isIdle(member)) return;
    this.#cancelSweep ??= this.options.after(this.options.idleMs, () => {
      this.#sweep();
    });
  }

  /** Lets nobody wait any longer. */
  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.#queue.refuseAll(new ApiError('cancelled', 'the service stops'));
    this.#look();
  }

  #use(place: Place): void {
    place.used = this.options.now();
    place.turn = this.#turn++;
  }

  /** Puts to sleep who was unused for so long; looks again when the next one will have been. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { idleMs, now, after } = this.options;
    const limit = now() - idleMs;
    let next: number | undefined;
    for (const [member, { used, leaving }] of this.#places) {
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
    while (this.#places.size < this.options.maxRunning) {
      const next = this.#queue.takeReady();
      if (!next) break;
      const entered = this.options.now();
      this.#places.set(next.member, { entered, used: entered, turn: this.#turn++ });
      next.admit();
    }
    this.#look();
  }

  /** Makes room for those that wait, and goes on so while there are any. */
  #look(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#queue.refuseOverdue();
    if (this.#queue.size === 0) return;
    this.#cancelLook = this.options.after(this.#nextLook(), () => {
      this.#look();
    });
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { now, sliceMs } = this.options;
    const time = now();
    const ready = this.#queue.ready();
    const leaving = [...this.#places.values()].flatMap((place) => place.leaving ?? []);
    let missing = ready.length - leaving.length;
    for (const member of this.#unused(time).slice(0, Math.max(0, missing))) {
      this.#putToSleep(member);
      missing--;
    }
    // One that takes long to end what is under way does not hold up who waits for it.
    const stuck = leaving.filter((since) => time - since >= sliceMs).length;
    const overdue = ready.filter(({ since }) => time - since >= sliceMs).length;
    missing = Math.min(missing + stuck, overdue + stuck - leaving.length);
    for (const member of this.#due(time).slice(0, Math.max(0, missing))) this.#putToSleep(member);
  }

  /** @returns milliseconds until a member can have become unused, or due */
  #nextLook(): number {
    const time = this.options.now();
    const quiet = this.#staying()
      .filter(([member, { due }]) => due !== undefined && isIdle(member))
      .map(([, place]) => place.used + quietTime(place) - time)
      .filter((ms) => ms > 0);
    return Math.min(LOOK_MS, ...quiet);
  }

  #putToSleep(member: PoolMember): void {
    const place = this.#places.get(member);
    if (place) place.leaving = this.options.now();
    void member.sleep();
  }

  /** Least recently used first. */
  #unused(time: number): PoolMember[] {
    return this.#staying()
      .filter(([member, place]) => {
        return place.due !== undefined && isIdle(member) && time - place.used >= quietTime(place);
      })
      .sort(([, { turn: a }], [, { turn: b }]) => a - b)
      .map(([member]) => member);
  }

  /** Those that have had their slice, the longest running first. */
  #due(time: number): PoolMember[] {
    return this.#staying()
      .filter(([, { due = Infinity }]) => due <= time)
      .sort(([, { entered: a }], [, { entered: b }]) => a - b)
      .map(([member]) => member);
  }

  #staying(): [PoolMember, Place][] {
    return [...this.#places].filter(([, { leaving }]) => leaving === undefined);
  }
}

const quietTime = ({ interval = 0 }: Place): number =>
  Math.min(MAX_QUIET_MS, Math.max(MIN_QUIET_MS, QUIET_INTERVALS * interval));

const isIdle = ({ requests }: PoolMember): boolean => requests === 0;
