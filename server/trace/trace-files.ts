import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { executionWork } from '../analysis/call-frame';
import type { TransactionTrace } from '../analysis/ports';
import { inSlices } from '../ethereum/slices';
import { LIMITS } from '../limits';
import { readTraceLines, traceLines } from './trace-lines';

export interface TraceFilesOptions {
  folder: string;
  /** Limit for all files together. */
  maxBytes?: number;
  /** Called if the folder cannot be written. */
  warn?: (details: object, message: string) => void;
}

/** Share of the limit that remains after files were removed. */
const KEPT_SHARE = 0.8;
/** Characters that are written at a time; other requests can run between two pieces. */
const PIECE = 64 * 1024;

/** Compressed traces, one file each. The least recently read files are removed when all together exceed the limit. */
export class TraceFiles {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Runs one write at a time; never rejects. */
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: TraceFilesOptions) {
    this.#folder = options.folder;
    this.#maxBytes = options.maxBytes ?? LIMITS.traceFiles;
  }

  /** @returns undefined if there is no file, or a damaged one, which is removed */
  async read(name: string): Promise<TransactionTrace | undefined> {
    const path = this.#path(name);
    const file = createReadStream(path);
    const unzipped = createGunzip();
    file.on('error', (error) => unzipped.destroy(error));
    file.pipe(unzipped);
    try {
      const trace = await readTraceLines(name, linesOf(unzipped));
      await inSlices(executionWork(trace.root));
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined); // removed by another call
      return trace;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!missing) await rm(path, { force: true }).catch(() => undefined);
      return undefined;
    } finally {
      file.destroy();
    }
  }

  /** Returns at once. Traces that cannot be written are not kept. */
  write(name: string, trace: TransactionTrace): void {
    this.#writing = this.#writing
      .then(() => this.#write(name, trace))
      .catch((error: unknown) => {
        this.options.warn?.({ err: error }, 'a trace cannot be kept on disk');
      });
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async #write(name: string, trace: TransactionTrace): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = this.#path(name);
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
    await this.#shrink();
  }

  async #shrink(): Promise<void> {
    const files: { path: string; size: number; mtimeMs: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined); // a damaged file may have been removed
      if (found) files.push({ path, size: found.size, mtimeMs: found.mtimeMs });
    }
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= this.#maxBytes) return;
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= this.#maxBytes * KEPT_SHARE) break;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.jsonl.gz`);
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
