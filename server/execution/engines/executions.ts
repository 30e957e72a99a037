import PQueue from 'p-queue';
import { LIMITS } from '../../api/limits';

export interface ExecutionsOptions {
  /** Takes the place of an engine from the forks. @returns what gives it back */
  lend?: () => () => void;
  /** Executions at a time. */
  concurrency?: number;
}

/** Turns of everything that executes transactions of a chain on an engine of the service. Each uses one engine at a time. */
export class Executions {
  readonly #queue: PQueue;
  readonly #lend: () => () => void;

  constructor({ lend, concurrency = LIMITS.executions }: ExecutionsOptions = {}) {
    this.#queue = new PQueue({ concurrency });
    this.#lend = lend ?? (() => () => undefined);
  }

  /** Executions that wait for their turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Runs an execution in its turn.
   * @throws the signal's reason; what `execute` throws
   */
  add<T>(execute: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#queue.add(() => this.#run(execute), { signal });
  }

  /** Runs work of minutes that nobody waits for, once no execution waits or runs. It takes no turn: later executions run beside it. */
  async addProof<T>(execute: () => Promise<T>): Promise<T> {
    await this.#queue.onIdle();
    return this.#run(execute);
  }

  async #run<T>(execute: () => Promise<T>): Promise<T> {
    const giveBack = this.#lend();
    try {
      return await execute();
    } finally {
      giveBack();
    }
  }
}
