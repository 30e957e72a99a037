import { ApiError } from '../api/errors';
import { onAbort } from '../ethereum/on-abort';

/** Something that has an engine while it is in the pool. */
export interface PoolMember {
  /** Requests under way. */
  readonly requests: number;
  /** Takes no more requests, and ends the engine when those under way are answered. The member leaves the pool before it settles. */
  sleep(): Promise<void>;
}

export interface EngineQueueOptions {
  /** Engines that may run at the same time. */
  maxRunning: number;
  /** Forks that may wait for an engine at the same time. */
  maxWaiting: number;
  /** How long a fork may wait for an engine. */
  maxWaitMs: number;
  /** How long an engine runs at least, while others wait: it had to be started, which costs time as well. */
  sliceMs: number;
  /** Milliseconds, of a clock that only goes forward. */
  now: () => number;
}

/** A member that waits for an engine. */
export interface Waiting {
  member: PoolMember;
  since: number;
  /** It can use a place. */
  isReady: boolean;
  /** Settles when it has a place, or why it gets none. */
  admitted: Promise<void>;
  admit: () => void;
  refuse: (error: unknown) => void;
}

/** The members that wait for an engine, in the order in which they came. Its length and the time in it are bounded. */
export class EngineQueue {
  #waiting: Waiting[] = [];

  constructor(private readonly options: EngineQueueOptions) {}

  get size(): number {
    return this.#waiting.length;
  }

  /** @throws the reason of the signal */
  add(member: PoolMember, signal: AbortSignal): Waiting {
    signal.throwIfAborted();
    const waiting = newWaiting(member, this.options.now());
    const ended = onAbort(signal, () => {
      this.#remove(waiting);
      waiting.refuse(signal.reason);
    });
    waiting.admitted.then(ended, ended);
    this.#waiting.push(waiting);
    return waiting;
  }

  /** Those that can use a place. */
  ready(): Waiting[] {
    return this.#waiting.filter(({ isReady }) => isReady);
  }

  takeReady(): Waiting | undefined {
    const next = this.#waiting.find(({ isReady }) => isReady);
    if (next) this.#remove(next);
    return next;
  }

  /** Of those that can use a place. */
  refuseTooMany(): void {
    const { maxWaiting } = this.options;
    for (const one of this.ready().slice(maxWaiting)) {
      this.#remove(one);
      const why = `as many forks wait for one as are allowed (engine.maxWaiting: ${maxWaiting})`;
      one.refuse(this.#busy(why));
    }
  }

  refuseOverdue(): void {
    const { maxWaitMs, now } = this.options;
    const limit = now() - maxWaitMs;
    const overdue = this.#waiting.filter(({ since }) => since <= limit);
    for (const one of overdue) {
      this.#remove(one);
      one.refuse(
        this.#busy(`the fork waited ${maxWaitMs / 1000} s for one (engine.maxWaitSeconds)`),
      );
    }
  }

  refuseAll(error: unknown): void {
    for (const one of this.#waiting.splice(0)) one.refuse(error);
  }

  #remove(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
  }

  #busy(why: string): ApiError {
    const { maxRunning, sliceMs } = this.options;
    const turns = Math.floor(this.size / maxRunning) + 1;
    const retryAfter = Math.ceil((turns * sliceMs) / 1000);
    return new ApiError(
      'enginesBusy',
      `all engines are busy (engine.maxRunning: ${maxRunning}), and ${why}: ask again in ${retryAfter} s`,
      { retryAfter },
    );
  }
}

function newWaiting(member: PoolMember, since: number): Waiting {
  let admit: () => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  const admitted = new Promise<void>((resolve, reject) => {
    admit = resolve;
    refuse = reject;
  });
  return { member, since, isReady: false, admitted, admit, refuse };
}
