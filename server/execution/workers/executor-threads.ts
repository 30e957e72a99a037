import PQueue from 'p-queue';
import { LIMITS } from '../../api/limits';
import { builtFile } from '../../kernel/files/built-file';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { ExecutorThread } from './executor-thread';

/** Time after which a thread that is not used ends, in milliseconds: loading its code takes some tenths of a second. */
const IDLE_MS = 30_000;

/** A thread for one block. */
export interface LentThread {
  readonly thread: ExecutorThread;
  readonly giveBack: () => void;
}

/** A bounded number of worker threads that execute blocks. They start when they are needed, and are used again. */
export class ExecutorThreads {
  readonly #turns: PQueue;
  readonly #idle = new Map<ExecutorThread, NodeJS.Timeout>();

  /** @param start starts a thread */
  constructor(
    private readonly start: () => ExecutorThread = startBundled,
    concurrency = LIMITS.executorThreads,
  ) {
    this.#turns = new PQueue({ concurrency });
  }

  /**
   * Waits for a free thread.
   * @throws the signal's reason
   */
  lend(rpc: RpcClient, signal: AbortSignal): Promise<LentThread> {
    return new Promise((resolve, reject) => {
      const turn = (): Promise<void> =>
        new Promise((endTurn) => {
          const thread = this.#take();
          thread.open(rpc, signal);
          let isLent = true;
          const giveBack = (): void => {
            if (isLent) this.#giveBack(thread);
            isLent = false;
            endTurn();
          };
          resolve({ thread, giveBack });
        });
      this.#turns.add(turn, { signal }).catch(reject);
    });
  }

  #take(): ExecutorThread {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (thread.isReusable) return thread;
    }
    return this.start();
  }

  #giveBack(thread: ExecutorThread): void {
    const isReusable = thread.isReusable;
    thread.close();
    if (!isReusable) {
      thread.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(thread);
      thread.end();
    }, IDLE_MS);
    this.#idle.set(thread, timer.unref());
  }
}

function startBundled(): ExecutorThread {
  const file = builtFile('executor.js');
  if (file === undefined) throw new Error('executor.js is missing beside the program');
  return new ExecutorThread(file);
}
