import type { Readiness } from '../api/probes';

export interface ReadinessOptions {
  /** Resolves when the database has answered; undefined: there is none. */
  ping: (() => Promise<void>) | undefined;
  /** Whether the node gives its forks away. */
  isDraining: () => boolean;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** How long the database may take to answer, and how long an answer counts, in milliseconds. */
const PING_MS = 2_000;
const KNOWN_MS = 1_000;

/** Whether a load balancer may send requests to this process. */
export class ReadinessCheck {
  #phase: 'starting' | 'running' | 'draining' = 'starting';
  #known: { at: number; answers: Promise<boolean> } | undefined;

  constructor(private readonly options: ReadinessOptions) {}

  /** All parts of the service run. */
  started(): void {
    this.#phase = 'running';
  }

  /** The service stops. */
  stopping(): Promise<void> {
    this.#phase = 'draining';
    return Promise.resolve();
  }

  async read(): Promise<Readiness> {
    if (this.#phase === 'starting') return { status: 'notReady', reason: 'starting' };
    if (this.#phase === 'draining' || this.options.isDraining()) {
      return { status: 'notReady', reason: 'draining' };
    }
    if (!(await this.#databaseAnswers())) {
      return { status: 'notReady', reason: 'databaseUnavailable' };
    }
    return { status: 'ready' };
  }

  /** Many balancers may ask: the database is asked once a second. */
  #databaseAnswers(): Promise<boolean> {
    const { ping, now = () => performance.now() } = this.options;
    if (!ping) return Promise.resolve(true);
    if (!this.#known || now() - this.#known.at >= KNOWN_MS) {
      this.#known = { at: now(), answers: answersInTime(ping) };
    }
    return this.#known.answers;
  }
}

function answersInTime(ping: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
    }, PING_MS);
    ping()
      .then(
        () => {
          resolve(true);
        },
        () => {
          resolve(false);
        },
      )
      .finally(() => {
        clearTimeout(timer);
      });
  });
}
