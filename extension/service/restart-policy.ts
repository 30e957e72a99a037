const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
const MAX_CRASHES = 5;
const WINDOW_MS = 5 * 60_000;

/** Decides whether and when a crashed service restarts: with growing delays and a limited number of attempts. */
export class RestartPolicy {
  readonly #now: () => number;
  #crashes: number[] = [];

  /** @param now milliseconds of any monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns number of the attempt and milliseconds to wait; undefined after too many crashes in five minutes */
  afterCrash(): { attempt: number; delayMs: number } | undefined {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < WINDOW_MS), now];
    const attempt = this.#crashes.length;
    if (attempt > MAX_CRASHES) return undefined;
    return { attempt, delayMs: Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) };
  }

  /** Forgets earlier crashes, for a start that the user requested. */
  reset(): void {
    this.#crashes = [];
  }
}
