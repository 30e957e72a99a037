import type { Logger } from 'pino';

/** How the parts of the service stop, in the reverse order of their start. */
export class Stops {
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(private readonly log: Logger) {}

  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop);
  }

  /** Stops everything. May be called more than once. */
  async run(): Promise<void> {
    for (let next = this.#stops.pop(); next; next = this.#stops.pop()) {
      await next().catch((error: unknown) => {
        this.log.error({ err: error }, 'a part of the service did not stop cleanly');
      });
    }
  }
}
