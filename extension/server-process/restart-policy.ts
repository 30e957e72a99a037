const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
const MAX_CRASHES = 5;
const WINDOW_MS = 5 * 60_000;

/** Decides whether and when a crashed service is started again: ever later, and not for ever. */
export class RestartPolicy {
  readonly #now: () => number;
  #crashes: number[] = [];

  /** @param now milliseconds of any monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns milliseconds to wait, or undefined after too many crashes in five minutes */
  afterCrash(): { attempt: number; delayMs: number } | undefined {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < WINDOW_MS), now];
    const attempt = this.#crashes.length;
    if (attempt > MAX_CRASHES) return undefined;
    return { attempt, delayMs: Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) };
  }

  /** A start that the user asked for begins with a clean slate. */
  reset(): void {
    this.#crashes = [];
  }
}
