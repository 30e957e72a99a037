import { setTimeout as delay } from 'node:timers/promises';

/** Ends of builds in the workspace. */
export interface Builds {
  onDidBuild: (listener: () => void) => { dispose(): void };
}

/**
 * Waits before each look, in milliseconds. A service that searches for sources longer answers without them at first, and one that has read
 * half a build takes it as whole for ten seconds.
 */
const WAITS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** Looks for new sources when a build has ended. */
export class SourceWatch {
  readonly #subscription: { dispose(): void } | undefined;
  #looking = new AbortController();

  /** @param look finds out whether there are new ones, and shows them */
  constructor(
    builds: Builds | undefined,
    private readonly look: () => Promise<boolean>,
  ) {
    this.#subscription = builds?.onDidBuild(() => {
      this.#looking.abort();
      this.#looking = new AbortController();
      // A service that does not answer has no new sources; the next stop asks again.
      this.#lookUntilFound(this.#looking.signal).catch(() => undefined);
    });
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#looking.abort();
  }

  async #lookUntilFound(signal: AbortSignal): Promise<void> {
    for (const wait of WAITS_MS) {
      await delay(wait, undefined, { signal });
      if (await this.look()) return;
    }
  }
}
