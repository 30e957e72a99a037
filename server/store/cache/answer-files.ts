import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import PQueue from 'p-queue';
import { replaceFile } from '../../kernel/files/replace-file';
import { ANCHOR, type AnswerStore } from '../../chains/upstream/answer-cache';
import { CacheFolder } from './cache-folder';

export interface AnswerFilesOptions {
  folder: string;
  /** Limit for all files together. 0: nothing is kept. */
  maxBytes: number;
  /** Called once, if the folder cannot be written. */
  warn: (details: object, message: string) => void;
}

const FLUSH_MS = 250;

/**
 * Append-only files of a chain's answers, one per shard, named `<chain>/<shard>`. A line that was torn or changed is left out. What cannot
 * be written is not kept: no request waits for a disk.
 */
export class AnswerFiles implements AnswerStore {
  readonly #unwritten = new Map<string, string[]>();
  readonly #files: CacheFolder;
  /** undefined until the files are counted. */
  readonly #queue = new PQueue({ concurrency: 1 });
  #timer: NodeJS.Timeout | undefined;
  #broken = false;

  constructor(private readonly options: AnswerFilesOptions) {
    const { folder, maxBytes } = options;
    this.#files = new CacheFolder({
      folder,
      limit: { bytes: maxBytes },
      isProtected: (name) => name === ANCHOR,
    });
  }

  async read(shard: string): Promise<[string, string][]> {
    if (this.#unwritten.has(shard)) await this.flush();
    else await this.#queue.onIdle();
    const path = this.#files.pathOf(shard);
    try {
      const text = await readFile(path, 'utf8');
      await this.#files.touch(path);
      return text.split('\n').flatMap((line) => entryOf(shard, line));
    } catch {
      return [];
    }
  }

  /** Whether there are answers of a chain. */
  async has(chain: string): Promise<boolean> {
    const names = await readdir(this.#files.pathOf(chain)).catch(() => []);
    return names.length > 0;
  }

  append(shard: string, key: string, json: string): void {
    if (this.#broken) return;
    const line = lineOf(shard, key, json);
    const lines = this.#unwritten.get(shard);
    if (lines) lines.push(line);
    else this.#unwritten.set(shard, [line]);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  setAnchor(chain: string, json: string): void {
    if (this.#broken) return;
    const shard = `${chain}/${ANCHOR}`;
    const path = this.#files.pathOf(shard);
    void this.#next(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, lineOf(shard, ANCHOR, json), { mode: 0o600 });
    });
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#next(() => this.#write());
  }

  removeAll(chain: string): Promise<void> {
    for (const shard of this.#unwritten.keys()) {
      if (dirname(shard) === chain) this.#unwritten.delete(shard);
    }
    return this.#next(() => this.#files.remove(chain));
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#queue.add(work).catch((error: unknown) => {
      if (this.#broken) return;
      this.#broken = true;
      this.#unwritten.clear();
      this.options.warn({ err: error }, 'answers of chains are no longer stored on disk');
    });
  }

  async #write(): Promise<void> {
    const pending = [...this.#unwritten];
    this.#unwritten.clear();
    for (const [shard, lines] of pending) {
      const path = this.#files.pathOf(shard);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // The leading line break ends a line that a killed process left incomplete.
      const text = `\n${lines.join('\n')}`;
      await appendFile(path, text, { mode: 0o600 });
      await this.#files.added(Buffer.byteLength(text));
    }
  }
}

/** Checksum, key, answer. JSON has no line breaks. */
function lineOf(shard: string, key: string, json: string): string {
  const content = `${key} ${json}`;
  return `${checksum(shard, content)} ${content}`;
}

/** Includes the shard, so that a file in the place of another one is ignored. */
const checksum = (shard: string, content: string): string =>
  crc32(`${shard} ${content}`).toString(16);

function entryOf(shard: string, line: string): [string, string][] {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  if (first < 0 || second < 0) return [];
  const content = line.slice(first + 1);
  if (checksum(shard, content) !== line.slice(0, first)) return [];
  return [[line.slice(first + 1, second), line.slice(second + 1)]];
}
