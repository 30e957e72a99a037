import type { TransactionTrace } from '../../analysis/ports';
import { LIMITS } from '../../api/limits';
import type { TraceStore } from '../../execution/cached-traces';
import { readTraceLines, traceLines } from '../../execution/tracing/trace-lines';
import { LineFiles, type LineCacheOptions } from './line-files';

/** Time before traces are written, in milliseconds: more than the answer that a long trace was made for takes. */
const DELAY_MS = 5_000;

/** Compressed traces, one file each. */
export class TraceFiles implements TraceStore {
  readonly #files: LineFiles;
  readonly #unwritten = new Map<string, TransactionTrace>();

  constructor(options: LineCacheOptions) {
    const warning = 'a trace cannot be stored on disk';
    const defaults = { maxBytes: LIMITS.traceFiles, delayMs: DELAY_MS, warning };
    this.#files = new LineFiles({ ...defaults, ...options });
  }

  async read(name: string): Promise<TransactionTrace | undefined> {
    return (
      this.#unwritten.get(name) ??
      (await this.#files.read(name, (lines) => readTraceLines(name, lines)))
    );
  }

  write(name: string, trace: TransactionTrace): void {
    this.#unwritten.set(name, trace);
    void this.#files.write(name, traceLines(name, trace)).then(() => {
      if (this.#unwritten.get(name) === trace) this.#unwritten.delete(name);
    });
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#files.settled();
  }
}
