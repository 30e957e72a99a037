import { appendFile, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { replaceFile } from '../files/replace-file';

export interface ShardFilesOptions {
  folder: string;
  /** Limit for all files together. 0: nothing is kept. */
  maxBytes: number;
  /** Called once, if the folder cannot be written. */
  warn: (details: object, message: string) => void;
}

/** A shard of one line, kept as long as its chain. */
export const ANCHOR = 'anchor';

const FLUSH_MS = 250;
/** Share of the limit that remains after files were removed. */
const KEPT_SHARE = 0.8;

/**
 * Append-only files of answers, one per shard, named `<chain>/<shard>`. The least recently used files are removed when all together exceed
 * the limit. Damaged lines are ignored. Answers that cannot be written are dropped, so that no request waits for the disk.
 */
export class ShardFiles {
  readonly #unwritten = new Map<string, string[]>();
  /** Runs one operation at a time. */
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** undefined until the files are counted. */
  #bytes: number | undefined;
  #broken = false;

  constructor(private readonly options: ShardFilesOptions) {}

  /** @returns key and JSON text of each answer, oldest first; none if the shard does not exist */
  async read(shard: string): Promise<[string, string][]> {
    if (this.#unwritten.has(shard)) await this.flush();
    else await this.#queue;
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

  /** Buffers a line, which is written soon. */
  append(shard: string, key: string, json: string): void {
    if (this.#broken) return;
    const line = lineOf(shard, key, json);
    const lines = this.#unwritten.get(shard);
    if (lines) lines.push(line);
    else this.#unwritten.set(shard, [line]);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the anchor before anything that is appended later. */
  setAnchor(chain: string, json: string): void {
    if (this.#broken) return;
    const shard = `${chain}/${ANCHOR}`;
    const path = this.#path(shard);
    void this.#next(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, lineOf(shard, ANCHOR, json), { mode: 0o600 });
    });
  }

  /** Resolves when all appended lines are written or dropped. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#next(() => this.#write());
  }

  /** Removes all shards of a chain. */
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
    return (this.#queue = this.#queue.then(work).catch((error: unknown) => {
      if (this.#broken) return;
      this.#broken = true;
      this.#unwritten.clear();
      this.options.warn({ err: error }, 'answers of chains are no longer kept on disk');
    }));
  }

  async #write(): Promise<void> {
    const pending = [...this.#unwritten];
    this.#unwritten.clear();
    this.#bytes ??= (await this.#list()).reduce((sum, { size }) => sum + size, 0);
    for (const [shard, lines] of pending) {
      const path = this.#path(shard);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // The leading line break ends a line that a killed process left incomplete.
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
