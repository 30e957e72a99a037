import PQueue from 'p-queue';
import type { CallTurn } from './call-turn';
import { SharedLock } from './shared-lock';

/**
 * Decides which calls an engine gets at the same time. Anvil 1.5.1 can stop for good otherwise: a read of older state holds a lock of the
 * engine's history while it waits for the upstream, and so does the trace of a mined transaction. What needs this lock then blocks a
 * thread of the runtime that has to receive the upstream's answer. Reads of the pending state hold another lock, which mining and
 * `evm_revert` need. Reads of the newest state only hold a lock that blocks no thread: they share their waiting.
 */
export class EngineTurns {
  /** Reads of older state, and changes. */
  readonly #history = new PQueue({ concurrency: 1 });
  /** Reads of the newest state beside each other; a change alone. */
  readonly #state = new SharedLock();
  #newest: Promise<number> | undefined;

  /** @param readNewest asks the engine for the number of its newest block */
  constructor(private readonly readNewest: () => Promise<number>) {}

  /** Runs the work when its turn has come. The turn ends with the work: not before the engine has answered. */
  async run<T>(turn: CallTurn, work: () => Promise<T>): Promise<T> {
    switch (turn.kind) {
      case 'lookup':
        return work();
      case 'newest':
        return this.#state.share(work);
      case 'numbered': {
        const { number } = turn;
        const done = await this.#state.share(async () =>
          number < (await this.#newestBlock()) ? undefined : { result: await work() },
        );
        return done ? done.result : this.#history.add(work);
      }
      case 'older':
        return this.#history.add(work);
      case 'change':
        return this.#history.add(() => this.#state.own(() => this.#change(work)));
    }
  }

  /** Stays the same until the next change. */
  #newestBlock(): Promise<number> {
    return (this.#newest ??= this.readNewest().catch((error: unknown) => {
      this.#newest = undefined;
      throw error;
    }));
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    this.#newest = undefined;
    return work();
  }
}
