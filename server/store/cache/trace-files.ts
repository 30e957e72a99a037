import { executionWork } from '../../analysis/call-frame';
import type { TransactionTrace } from '../../analysis/ports';
import { inSlices } from '../../async/slices';
import { LIMITS } from '../../api/limits';
import type { TraceStore } from '../../execution/cached-traces';
import { readTraceLines, traceLines } from '../../execution/tracing/trace-lines';
import { LineFiles } from './line-files';

export interface TraceFilesOptions {
  folder: string;
  /** Limit for all files together. */
  maxBytes?: number;
  /** Called if the folder cannot be written. */
  warn?: (details: object, message: string) => void;
  /** Receives whether a trace was there. */
  onLookUp?: (isHit: boolean) => void;
}

/** Compressed traces, one file each. */
export class TraceFiles implements TraceStore {
  readonly #files: LineFiles;

  constructor(private readonly options: TraceFilesOptions) {
    const { folder, maxBytes = LIMITS.traceFiles, warn } = options;
    const warning = 'a trace cannot be stored on disk';
    this.#files = new LineFiles({ folder, maxBytes, warn, warning });
  }

  async read(name: string): Promise<TransactionTrace | undefined> {
    const trace = await this.#files.read(name, async (lines) => {
      const read = await readTraceLines(name, lines);
      await inSlices(executionWork(read.root));
      return read;
    });
    this.options.onLookUp?.(trace !== undefined);
    return trace;
  }

  write(name: string, trace: TransactionTrace): void {
    this.#files.write(name, traceLines(name, trace));
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#files.settled();
  }
}
