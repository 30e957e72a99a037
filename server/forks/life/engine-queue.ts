import { ApiError } from '../../api/errors';
import { onAbort } from '../../kernel/async/on-abort';

/** A member of the pool, which has an engine while it is in the pool. */
export interface PoolMember {
  /** Number of requests under way. */
  readonly requests: number;
  /**
   * Accepts no more requests, and ends the engine when those under way are answered. The member leaves the pool before the promise settles.
   */
  sleep(): Promise<void>;
}

export interface EngineQueueOptions {
  /** Engines that may run at the same time. */
  maxRunning: number;
  /** Forks that may wait for an engine at the same time. */
  maxWaiting: number;
  /** How long a fork may wait for an engine. */
  maxWaitMs: number;
  /** Minimum run time of an engine while others wait: its start also cost time. */
  sliceMs: number;
  /** Returns milliseconds of a monotonic clock. */
  now: () => number;
}

/** A member that waits for an engine. */
export interface Waiting {
  member: PoolMember;
  since: number;
  /** Whether it can use a place. */
  isReady: boolean;
  /** Resolves when it has a place; rejects if it gets none. */
  admitted: Promise<void>;
  admit: () => void;
  refuse: (error: unknown) => void;
}

/** Members that wait for an engine, in order of arrival. Number and waiting time are limited. */
export class EngineQueue {
  #waiting: Waiting[] = [];

  constructor(private readonly options: EngineQueueOptions) {}

  get size(): number {
    return this.#waiting.length;
  }

  /** @throws the signal's reason */
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

  /** Members that can use a place. */
  ready(): Waiting[] {
    return this.#waiting.filter(({ isReady }) => isReady);
  }

  takeReady(): Waiting | undefined {
    const next = this.#waiting.find(({ isReady }) => isReady);
    if (next) this.#remove(next);
    return next;
  }

  /** Refuses members beyond `maxWaiting`, counting those that can use a place. */
  refuseTooMany(): void {
    const { maxWaiting } = this.options;
    for (const one of this.ready().slice(maxWaiting)) {
      this.#remove(one);
      const why = `the queue is full (engine.maxWaiting: ${maxWaiting})`;
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
        this.#busy(`the fork waited ${maxWaitMs / 1000} s for an engine (engine.maxWaitSeconds)`),
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
      `all engines are busy (engine.maxRunning: ${maxRunning}), and ${why}; try again in ${retryAfter} s`,
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
