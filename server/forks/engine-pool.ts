import { SerialQueue } from '../serial-queue';

/** Something that has an engine while it is in the pool. */
export interface PoolMember {
  /** Requests under way, those that wait for the engine included. */
  readonly requests: number;
  /** Ends the engine; who comes then waits for the end, and for a new one. The member leaves the pool before it settles. */
  sleep(): Promise<void>;
}

export interface EnginePoolOptions {
  /** Engines that may run at the same time. */
  maxRunning: number;
  /** How long an engine may be unused. */
  idleMs: number;
  /** Milliseconds, of a clock that only goes forward. */
  now: () => number;
  /** Calls back once, after so many milliseconds. @returns what cancels it */
  after: (ms: number, callback: () => void) => () => void;
}

/** When a member was used last: milliseconds, and the order of what has the same. */
interface LastUse {
  time: number;
  turn: number;
}

/**
 * Decides which forks have an engine. Who is unused for a while goes to sleep, and so does the least recently used one when
 * another fork needs its place: never one with a request under way. Where all are busy, the newcomer waits for the first that is
 * not. Neither subscriptions and filters nor transactions that wait in a pool keep a fork awake: nothing happens while it sleeps,
 * and the fork and its journal have them.
 */
export class EnginePool {
  readonly #running = new Map<PoolMember, LastUse>();
  readonly #admissions = new SerialQueue();
  #turn = 0;
  #cancelSweep: (() => void) | undefined;
  /** Tells the newcomer that waits of a change. */
  #changed: (() => void) | undefined;

  constructor(private readonly options: EnginePoolOptions) {}

  /** Waits for a place, in the order of the calls. */
  enter(member: PoolMember, signal: AbortSignal): Promise<void> {
    return this.#admissions.add(async () => {
      signal.throwIfAborted();
      while (this.#running.size >= this.options.maxRunning) {
        const victim = this.#leastRecentlyUsed();
        if (victim) await victim.sleep();
        else await this.#change(signal);
        signal.throwIfAborted();
      }
      this.#running.set(member, this.#now());
    });
  }

  /** The engine is gone, for whatever reason. */
  leave(member: PoolMember): void {
    this.#running.delete(member);
    this.#changed?.();
  }

  /** A request of the member has ended. */
  used(member: PoolMember): void {
    if (!this.#running.has(member)) return;
    this.#running.set(member, this.#now());
    if (!isIdle(member)) return;
    this.#changed?.();
    this.#cancelSweep ??= this.options.after(this.options.idleMs, () => {
      this.#sweep();
    });
  }

  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #now(): LastUse {
    return { time: this.options.now(), turn: this.#turn++ };
  }

  /** Puts to sleep who was unused for so long; looks again when the next one will have been. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const { idleMs, now, after } = this.options;
    const limit = now() - idleMs;
    let next: number | undefined;
    for (const [member, { time }] of this.#running) {
      if (!isIdle(member)) continue;
      if (time <= limit) void member.sleep();
      else next = Math.min(next ?? time, time);
    }
    if (next === undefined) return;
    this.#cancelSweep = after(next - limit, () => {
      this.#sweep();
    });
  }

  #leastRecentlyUsed(): PoolMember | undefined {
    return [...this.#running]
      .filter(([member]) => isIdle(member))
      .sort(([, { turn: first }], [, { turn: second }]) => first - second)
      .map(([member]) => member)[0];
  }

  async #change(signal: AbortSignal): Promise<void> {
    let settle: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (settle = resolve));
    this.#changed = settle;
    signal.addEventListener('abort', settle, { once: true });
    await changed;
    signal.removeEventListener('abort', settle);
    this.#changed = undefined;
  }
}

const isIdle = ({ requests }: PoolMember): boolean => requests === 0;
