import { setTimeout as delay } from 'node:timers/promises';
import type { NodeRegistry } from './node-registry';

export interface HandoverOptions {
  registry: Pick<NodeRegistry, 'drain' | 'others' | 'beatMs' | 'mayStartForks'>;
  /** Forks whose leases this node has. */
  held: () => readonly string[];
  /** Ends a fork's engine after the requests under way, so that another node can run it. */
  giveAway: (forkId: string) => Promise<void>;
  onFailed: (error: unknown) => void;
}

/** Pause between two rounds: forks whose start had begun run by then. */
const PAUSE_MS = 100;
/** Limit of the time in which the other nodes get to know that this one stops, in milliseconds. */
const LEAVE_MS = 3_000;

/** Gives the forks of this node to the other nodes. */
export class Handover {
  readonly #options: HandoverOptions;
  #isClosed = false;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** For as long as the node drains: the other nodes may be gone for a while, and forks run here again. */
  async keepGiving(): Promise<void> {
    const { registry, onFailed } = this.#options;
    const isOver = (): boolean => this.#isClosed || registry.mayStartForks;
    while (!this.#isClosed) await this.#giveAll(isOver).catch(onFailed);
  }

  /**
   * Takes no more forks, and gives its own away for a limited time. Resolves when the other nodes know.
   * @param answeredMs time after which a node asks another one when it got no answer
   */
  async drain(limitMs: number, answeredMs: number): Promise<void> {
    const { registry, held } = this.#options;
    const end = performance.now() + limitMs;
    await registry.drain();
    if (registry.others.length === 0) return;
    const isOver = (): boolean => performance.now() > end;
    while (held().length > 0 && !isOver()) await this.#giveAll(isOver);
    // Until the others know, they still send requests here, and nobody can tell what became of one that meets a closed connection.
    await delay(Math.min(LEAVE_MS, Math.max(registry.beatMs, answeredMs) + PAUSE_MS));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #giveAll(isOver: () => boolean): Promise<void> {
    for (const forkId of this.#options.held()) {
      if (!isOver()) await this.#options.giveAway(forkId);
    }
    await delay(PAUSE_MS);
  }
}
