import PQueue from 'p-queue';
import type { CallTurn } from './call-turn';
import { SharedLock } from '../../kernel/async/shared-lock';

/**
 * Decides which calls an engine executes at the same time. Without this, Anvil 1.5.1 can deadlock: a read of older state, and the trace of
 * a mined transaction, hold a lock on the engine's history while they wait for the upstream. A call that needs this lock blocks a runtime
 * thread that has to receive the upstream's answer. Reads of the pending state hold another lock, which mining and `evm_revert` need. Reads
 * of the newest state hold only a lock that blocks no thread, so they can run concurrently.
 */
export class EngineTurns {
  /** Queue for reads of older state, and for changes. */
  readonly #history = new PQueue({ concurrency: 1 });
  /** Lock that reads of the newest state share, and that a change owns. */
  readonly #state = new SharedLock();
  #newest: Promise<number> | undefined;

  /** @param readNewest requests the number of the engine's newest block */
  constructor(private readonly readNewest: () => Promise<number>) {}

  /** Runs the work in its turn. The turn ends with the work, and not before the engine has answered. */
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

  /** The number stays the same until the next change. */
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
