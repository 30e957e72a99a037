import type { TransactionTrace } from '../../analysis/ports';
import { LIMITS } from '../../api/limits';
import type { TraceStore } from '../../execution/cached-traces';
import { readTraceLines, traceLines } from '../../execution/tracing/trace-lines';
import { LineFiles, type LineCacheOptions } from './line-files';

/** Compressed traces, one file each. */
export class TraceFiles implements TraceStore {
  readonly #files: LineFiles;

  constructor(options: LineCacheOptions) {
    const warning = 'a trace cannot be stored on disk';
    this.#files = new LineFiles({ maxBytes: LIMITS.traceFiles, warning, ...options });
  }

  read(name: string): Promise<TransactionTrace | undefined> {
    return this.#files.read(name, (lines) => readTraceLines(name, lines));
  }

  write(name: string, trace: TransactionTrace): void {
    this.#files.write(name, traceLines(name, trace));
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#files.settled();
  }
}
