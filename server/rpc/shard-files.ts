import { appendFile, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import PQueue from 'p-queue';
import { replaceFile } from '../files/replace-file';

export interface ShardFilesOptions {
  folder: string;
  /** Of all files together. 0: nothing is kept. */
  maxBytes: number;
  /** Told once, of a folder that cannot be written. */
  warn: (details: object, message: string) => void;
}

/** A shard of one line that stays as long as its chain is kept. */
export const ANCHOR = 'anchor';

const FLUSH_MS = 250;
/** What is left when the files have grown beyond the limit. */
const KEPT_SHARE = 0.8;

/**
 * Append-only files of answers, one per shard, named `<chain>/<shard>`; those that were not used for longest go when all together grow too large.
 * A line that was torn or changed is left out. What cannot be written is not kept: nobody waits for a disk.
 */
export class ShardFiles {
  readonly #unwritten = new Map<string, string[]>();
  /** One thing at a time. */
  readonly #queue = new PQueue({ concurrency: 1 });
  #timer: NodeJS.Timeout | undefined;
  /** undefined until it is counted. */
  #bytes: number | undefined;
  #broken = false;

  constructor(private readonly options: ShardFilesOptions) {}

  /** @returns key and JSON text of each answer, oldest first; none for a shard that is not there */
  async read(shard: string): Promise<[string, string][]> {
    if (this.#unwritten.has(shard)) await this.flush();
    else await this.#queue.onIdle();
    const path = this.#path(shard);
    try {
      const text = await readFile(path, 'utf8');
      const now = new Date();
      await utimes(path, now, now);
      return text.split('\n').flatMap((line) => entryOf(shard, line));
    } catch {
      return [];
    }
  }

  /** Kept soon. */
  append(shard: string, key: string, json: string): void {
    if (this.#broken) return;
    const line = lineOf(shard, key, json);
    const lines = this.#unwritten.get(shard);
    if (lines) lines.push(line);
    else this.#unwritten.set(shard, [line]);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Written before what is appended later. */
  setAnchor(chain: string, json: string): void {
    if (this.#broken) return;
    const shard = `${chain}/${ANCHOR}`;
    const path = this.#path(shard);
    void this.#next(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, lineOf(shard, ANCHOR, json), { mode: 0o600 });
    });
  }

  /** Resolves when all that was appended is written, or given up. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#next(() => this.#write());
  }

  /** Forgets all shards of a chain. */
  removeAll(chain: string): Promise<void> {
    for (const shard of this.#unwritten.keys()) {
      if (dirname(shard) === chain) this.#unwritten.delete(shard);
    }
    return this.#next(async () => {
      await rm(this.#path(chain), { recursive: true, force: true });
      this.#bytes = undefined;
    });
  }

  #path(name: string): string {
    return join(this.options.folder, name);
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#queue.add(work).catch((error: unknown) => {
      if (this.#broken) return;
      this.#broken = true;
      this.#unwritten.clear();
      this.options.warn({ err: error }, 'answers of chains are no longer kept on disk');
    });
  }

  async #write(): Promise<void> {
    const pending = [...this.#unwritten];
    this.#unwritten.clear();
    this.#bytes ??= (await this.#list()).reduce((sum, { size }) => sum + size, 0);
    for (const [shard, lines] of pending) {
      const path = this.#path(shard);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // The line break in front ends a line that a killed process has torn.
      const text = `\n${lines.join('\n')}`;
      await appendFile(path, text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    }
    if (this.#bytes > this.options.maxBytes) await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const files = (await this.#list()).sort((a, b) => a.usedAt - b.usedAt);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files) {
      if (bytes <= this.options.maxBytes * KEPT_SHARE) break;
      await rm(path, { force: true });
      bytes -= size;
    }
    this.#bytes = bytes;
  }

  async #list(): Promise<{ path: string; size: number; usedAt: number }[]> {
    const { folder } = this.options;
    const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
    const files: { path: string; size: number; usedAt: number }[] = [];
    for (const entry of entries) {
      if (!entry.isFile() || entry.name === ANCHOR) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, size: found.size, usedAt: found.mtimeMs });
    }
    return files;
  }
}

/** Checksum, key, answer. JSON has no line breaks. */
function lineOf(shard: string, key: string, json: string): string {
  const content = `${key} ${json}`;
  return `${checksum(shard, content)} ${content}`;
}

/** With the shard: a file that took the place of another one says nothing. */
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
