import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { CacheFolder } from './cache-folder';

/** Options of a cache whose content is known. */
export interface LineCacheOptions {
  folder: string;
  /** Limit for all files together. */
  maxBytes?: number;
  /** Called if the folder cannot be written. */
  warn?: (details: object, message: string) => void;
  /** Receives whether a valid file was there. */
  onLookUp?: (isHit: boolean) => void;
}

export interface LineFilesOptions extends LineCacheOptions {
  maxBytes: number;
  /** What is logged with the error if the folder cannot be written. */
  warning: string;
  /** Time before writes begin, in milliseconds: answers that are made of the same data come first. */
  delayMs?: number;
}

interface Delay {
  readonly over: Promise<void>;
  readonly end: AbortController;
}

/** Characters that are written at a time: between two pieces other requests have their turn. */
const PIECE = 64 * 1024;

/** Compressed files of lines. Those that were not used for longest are deleted. */
export class LineFiles {
  readonly #files: CacheFolder;
  /** Runs one write at a time; never rejects. */
  #writing: Promise<void> = Promise.resolve();
  #delay: Delay | undefined;

  constructor(private readonly options: LineFilesOptions) {
    const { folder, maxBytes } = options;
    this.#files = new CacheFolder({ folder, limit: { bytes: maxBytes } });
  }

  /**
   * Removes a file that is damaged, or that `parse` rejects.
   * @returns what `parse` makes of the lines; undefined without a valid file
   */
  async read<T>(
    name: string,
    parse: (lines: AsyncIterableIterator<string>) => Promise<T>,
  ): Promise<T | undefined> {
    const path = this.#pathOf(name);
    const file = createReadStream(path);
    const unzipped = createGunzip();
    file.on('error', (error) => unzipped.destroy(error));
    file.pipe(unzipped);
    try {
      const content = await parse(linesOf(unzipped));
      await this.#files.touch(path);
      this.options.onLookUp?.(true);
      return content;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!missing) await rm(path, { force: true }).catch(() => undefined);
      this.options.onLookUp?.(false);
      return undefined;
    } finally {
      file.destroy();
    }
  }

  /** Need not be waited for: what cannot be written is not kept. @returns the end of the attempt; never rejects */
  write(name: string, lines: Iterable<string>): Promise<void> {
    const { over } = (this.#delay ??= this.#startDelay());
    this.#writing = this.#writing
      .then(() => over)
      .then(() => this.#write(name, lines))
      .catch((error: unknown) => {
        this.options.warn?.({ err: error }, this.options.warning);
      });
    return this.#writing;
  }

  /** Ends the delay of writes. Resolves when nothing is being written. */
  settled(): Promise<void> {
    this.#delay?.end.abort();
    return this.#writing;
  }

  #startDelay(): Delay {
    const end = new AbortController();
    const { delayMs = 0 } = this.options;
    const over = delay(delayMs, undefined, { signal: end.signal, ref: false })
      .catch(() => undefined) // ended by `settled`
      .then(() => {
        this.#delay = undefined;
      });
    return { over, end };
  }

  #pathOf(name: string): string {
    return this.#files.pathOf(`${name}.jsonl.gz`);
  }

  async #write(name: string, lines: Iterable<string>): Promise<void> {
    const path = this.#pathOf(name);
    await mkdir(dirname(path), { recursive: true });
    const unfinished = `${path}.${process.pid}.tmp`;
    try {
      await pipeline(
        Readable.from(pieces(lines)),
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
