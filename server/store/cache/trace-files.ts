import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { executionWork } from '../../analysis/call-frame';
import type { TransactionTrace } from '../../analysis/ports';
import { inSlices } from '../../async/slices';
import { LIMITS } from '../../api/limits';
import { CacheFolder } from './cache-folder';
import type { TraceStore } from '../../execution/cached-traces';
import { readTraceLines, traceLines } from '../../execution/tracing/trace-lines';

export interface TraceFilesOptions {
  folder: string;
  /** Limit for all files together. */
  maxBytes?: number;
  /** Called if the folder cannot be written. */
  warn?: (details: object, message: string) => void;
  /** Receives whether a trace was there. */
  onLookUp?: (isHit: boolean) => void;
}

/** Characters that are written at a time: between two pieces other requests have their turn. */
const PIECE = 64 * 1024;

/** Compressed traces, one file each. */
export class TraceFiles implements TraceStore {
  readonly #files: CacheFolder;
  /** Runs one write at a time; never rejects. */
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: TraceFilesOptions) {
    const { folder, maxBytes = LIMITS.traceFiles } = options;
    this.#files = new CacheFolder({ folder, limit: { bytes: maxBytes } });
  }

  async read(name: string): Promise<TransactionTrace | undefined> {
    const trace = await this.#read(name);
    this.options.onLookUp?.(trace !== undefined);
    return trace;
  }

  async #read(name: string): Promise<TransactionTrace | undefined> {
    const path = this.#files.pathOf(`${name}.jsonl.gz`);
    const file = createReadStream(path);
    const unzipped = createGunzip();
    file.on('error', (error) => unzipped.destroy(error));
    file.pipe(unzipped);
    try {
      const trace = await readTraceLines(name, linesOf(unzipped));
      await inSlices(executionWork(trace.root));
      await this.#files.touch(path);
      return trace;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!missing) await rm(path, { force: true }).catch(() => undefined);
      return undefined;
    } finally {
      file.destroy();
    }
  }

  write(name: string, trace: TransactionTrace): void {
    this.#writing = this.#writing
      .then(() => this.#write(name, trace))
      .catch((error: unknown) => {
        this.options.warn?.({ err: error }, 'a trace cannot be stored on disk');
      });
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async #write(name: string, trace: TransactionTrace): Promise<void> {
    const path = this.#files.pathOf(`${name}.jsonl.gz`);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}.tmp`;
    try {
      await pipeline(
        Readable.from(pieces(traceLines(name, trace))),
        createGzip({ level: 1 }),
        createWriteStream(unfinished),
      );
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await this.#files.added((await stat(path)).size);
  }
}

function* pieces(lines: Iterable<string>): Generator<string, void, undefined> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* linesOf(text: Readable): AsyncGenerator<string, void, undefined> {
  text.setEncoding('utf8');
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
