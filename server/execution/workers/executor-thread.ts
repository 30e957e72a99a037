import { Worker } from 'node:worker_threads';
import { errorOfCode } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import { onAbort } from '../../kernel/async/on-abort';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { inSlices } from '../../kernel/async/slices';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { RejectedTransaction } from '../prefix/block-executor';
import type { FromWorker, Read, ReadResult, SentError, Task, ToWorker } from './messages';

const MIB = 1024 * 1024;
/** Bytes of JSON that are parsed at a time. */
const [PIECE, WHOLE] = [64 * 1024, 256 * 1024];

/** The thread of an execution ended before its result. */
class ExecutorEnded extends Error {
  override readonly name = 'ExecutorEnded';
}

/** What an execution is part of. */
interface Session {
  readonly rpc: RpcClient;
  readonly signal: AbortSignal;
  readonly release: () => void;
  /** Errors of the chain's node, by the numbers that the thread knows. */
  readonly failures: unknown[];
}

interface Awaited {
  readonly resolve: (json: string | Uint8Array<ArrayBuffer>) => void;
  readonly reject: (error: unknown) => void;
}

/** One worker thread. It executes one block at a time, with bounded memory and time, and can be ended at any instruction. */
export class ExecutorThread {
  readonly #worker: Worker;
  readonly #awaited = new Map<number, Awaited>();
  #session: Session | undefined;
  #last = 0;
  #reads = 0;
  #hasFailed = false;
  #ended: Error | undefined;
  #watch: NodeJS.Timeout | undefined;

  /**
   * @param file path of the bundled worker
   * @param limits memory in bytes; time in milliseconds that one task may take without a call to the chain's node
   */
  constructor(
    file: string,
    private readonly limits = { memory: LIMITS.executorMemory, time: LIMITS.replayTime },
  ) {
    const maxOldGenerationSizeMb = limits.memory / MIB;
    this.#worker = new Worker(file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 64 },
    });
    this.#worker.on('message', (message: FromWorker) => {
      this.#receive(message);
    });
    this.#worker.on('error', (error: Error & { code?: string }) => {
      this.#end(new ExecutorEnded(this.#reasonOf(error)));
    });
    this.#worker.on('exit', (code) => {
      this.#end(new ExecutorEnded(`its thread ended with exit code ${code}`));
    });
  }

  /** Whether it can execute another block. */
  get isReusable(): boolean {
    return !this.#ended && !this.#hasFailed && this.#reads === 0 && this.#awaited.size === 0;
  }

  /** Takes the thread for one block. It ends when the signal fires. */
  open(rpc: RpcClient, signal: AbortSignal): void {
    this.#worker.ref();
    const release = onAbort(signal, () => {
      this.#end(signal.reason as Error);
    });
    this.#session = { rpc, signal, release, failures: [] };
  }

  /** Gives the thread back. */
  close(): void {
    this.#session?.release();
    this.#session = undefined;
    clearInterval(this.#watch);
    this.#watch = undefined;
    // A program whose threads do nothing may end.
    this.#worker.unref();
  }

  /** Ends the thread at once. */
  end(): void {
    this.#end(new ExecutorEnded('its thread was ended'));
  }

  /**
   * @returns the result, which the caller knows the form of
   * @throws errors of the chain's node; ApiError; RejectedTransaction; ExecutorEnded; the reason of the signal
   */
  async run(task: Task): Promise<unknown> {
    if (this.#ended) throw this.#ended;
    const json = await new Promise<string | Uint8Array<ArrayBuffer>>((resolve, reject) => {
      const id = ++this.#last;
      this.#awaited.set(id, { resolve, reject });
      this.#post({ type: 'task', id, task });
    });
    if (typeof json === 'string') return JSON.parse(json) as unknown;
    return inSlices(parseJsonWork(Buffer.from(json.buffer), PIECE, WHOLE), this.#session?.signal);
  }

  #post(message: ToWorker): void {
    if (this.#ended) return;
    this.#worker.postMessage(message);
    this.#watchTime();
  }

  #receive(message: FromWorker): void {
    this.#watchTime();
    if (message.type === 'reads') {
      for (const read of message.reads) void this.#read(read);
      return;
    }
    const awaited = this.#awaited.get(message.id);
    this.#awaited.delete(message.id);
    if (message.type === 'done') {
      awaited?.resolve(message.json);
      return;
    }
    this.#hasFailed = true;
    awaited?.reject(this.#errorOf(message.error));
  }

  async #read({ id, calls }: Read): Promise<void> {
    const session = this.#session;
    if (!session) return;
    const { rpc, signal, failures } = session;
    const failed = (error: unknown): ReadResult => ({ failure: failures.push(error) - 1 });
    this.#reads++;
    let results: ReadResult[];
    try {
      const outcomes = await rpc.requestAll(calls, { signal });
      results = outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? { value: outcome.value } : failed(outcome.reason),
      );
    } catch (error) {
      results = calls.map(() => failed(error));
    }
    this.#reads--;
    this.#post({ type: 'answer', id, results });
  }

  /** Begins the time of a task again: every message shows that the thread works. */
  #watchTime(): void {
    if (this.#watch) {
      this.#watch.refresh();
      return;
    }
    const { time } = this.limits;
    this.#watch = setInterval(() => {
      if (this.#awaited.size === 0 || this.#reads > 0) return;
      this.#end(new ExecutorEnded(`a part of it takes longer than ${time / 1_000} s`));
    }, time).unref();
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    clearInterval(this.#watch);
    void this.#worker.terminate();
    for (const { reject } of this.#awaited.values()) reject(reason);
    this.#awaited.clear();
  }

  #reasonOf({ code, message }: Error & { code?: string }): string {
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return `its thread ended: ${message}`;
    return `it needs more than ${this.limits.memory / MIB} MiB of memory`;
  }

  #errorOf(error: SentError): unknown {
    switch (error.kind) {
      case 'read':
        return this.#session?.failures[error.failure];
      case 'api':
        return errorOfCode(error.code, error.message);
      case 'rejected':
        return new RejectedTransaction(error.message);
      case 'other':
        return new Error(error.message);
    }
  }
}
