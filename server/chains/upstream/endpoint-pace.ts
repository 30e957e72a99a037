/** Outcome of a request, as far as the pace is concerned. */
export type PaceSignal = 'answered' | 'busy' | 'failed';

/** Back-off for an endpoint that is busy and names no time. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;

/**
 * Controls how many requests an endpoint gets at a time, and when: additive increase, multiplicative decrease. A busy endpoint gets half as
 * many requests, and none before the time that it names. Each round of answers adds one request.
 */
export class EndpointPace {
  /** Unix milliseconds; before it, the endpoint asked not to be called. */
  retryAt = 0;
  #limit: number;
  #running = 0;
  #consecutiveBusy = 0;
  /** Time of the last decrease. Requests that were sent before it do not decrease the limit again. */
  #decreasedAt = 0;
  readonly #waiting = new Set<() => void>();

  /** @param max requests at a time, initially and at most */
  constructor(
    private readonly max: number,
    private readonly now: () => number,
    private readonly random: () => number,
  ) {
    this.#limit = max;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Waits for a free place, which `leave` frees.
   * @returns when the request starts
   * @throws the signal's reason
   */
  async enter(signal: AbortSignal): Promise<number> {
    while (this.#running >= this.limit) await this.#place(signal);
    signal.throwIfAborted();
    this.#running++;
    return this.now();
  }

  /** @param retryAt Unix milliseconds before which the endpoint asked not to be called */
  leave(startedAt: number, came: PaceSignal, retryAt?: number): void {
    this.#running--;
    if (came === 'busy') this.#slowDown(startedAt, retryAt);
    if (came === 'answered') {
      this.#consecutiveBusy = 0;
      this.#limit = Math.min(this.max, this.#limit + 1 / this.#limit);
    }
    const free = Math.max(0, this.limit - this.#running);
    for (const wake of [...this.#waiting].slice(0, free)) wake();
  }

  #slowDown(startedAt: number, retryAt: number | undefined): void {
    const now = this.now();
    if (startedAt >= this.#decreasedAt) {
      this.#limit = Math.max(1, this.#limit / 2);
      this.#decreasedAt = now;
      this.#consecutiveBusy++;
    }
    const ceiling = Math.min(FIRST_PAUSE_MS * 2 ** (this.#consecutiveBusy - 1), MAX_PAUSE_MS);
    const pause = ceiling * (0.5 + this.random() / 2);
    this.retryAt = Math.max(this.retryAt, retryAt ?? now + pause);
  }

  #place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiting.delete(wake);
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      this.#waiting.add(wake);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
