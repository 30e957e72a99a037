import { setTimeout as delay } from 'node:timers/promises';

/** Ends of builds in the workspace. */
export interface Builds {
  onDidBuild: (listener: () => void) => { dispose(): void };
}

/**
 * Waits before each look, in milliseconds. A service that searches for sources longer, or compiles them, answers without them at first, and
 * one that has read half a build takes it as whole for ten seconds.
 */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Looks for sources that become known during a debug session: for a minute after its start, and after each build. */
export class SourceWatch {
  readonly #subscription: { dispose(): void } | undefined;
  #looking = new AbortController();

  /** @param look finds out whether more is known of the sources, and shows it */
  constructor(
    builds: Builds | undefined,
    private readonly look: () => Promise<void>,
    waitsMs: readonly number[] = WAITS_MS,
  ) {
    this.#subscription = builds?.onDidBuild(() => {
      this.#start([0, ...waitsMs]);
    });
    this.#start(waitsMs);
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#looking.abort();
  }

  #start(waits: readonly number[]): void {
    this.#looking.abort();
    this.#looking = new AbortController();
    this.#lookAfter(waits, this.#looking.signal).catch(() => undefined); // aborted
  }

  async #lookAfter(waits: readonly number[], signal: AbortSignal): Promise<void> {
    for (const wait of waits) {
      await delay(wait, undefined, { signal, ref: false });
      await this.look().catch(() => undefined); // a service that does not answer has no new sources
    }
  }
}
