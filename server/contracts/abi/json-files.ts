import { readFile, stat } from 'node:fs/promises';
import PQueue from 'p-queue';
import { LIMITS } from '../../api/limits';
import type { Log } from './sources';

export interface JsonFilesOptions<T> {
  /** Kind of the files, for the log. */
  what: string;
  /** Paths of the files that currently exist. */
  list: () => Promise<readonly string[]>;
  /** Contents of a file; empty if it is something else. */
  read: (json: unknown, path: string) => readonly T[] | Promise<readonly T[]>;
  log: Log;
  now: () => number;
}

const OPEN_FILES = 16;
/** Interval between scans, in milliseconds. Unchanged files are not read again. */
const RESCAN_MS = 2_000;

interface ReadFile<T> {
  readonly modified: number;
  readonly size: number;
  readonly contents: readonly T[];
}

/** The current contents of JSON files that other programs write. */
export class JsonFiles<T> {
  readonly #files = new Map<string, ReadFile<T>>();
  #contents: readonly T[] = [];
  #scannedAt = -Infinity;
  #expirations = 0;
  #scanning: Promise<void> | undefined;

  constructor(private readonly options: JsonFilesOptions<T>) {}

  /** In the order of the list. Returns the same array as before if nothing changed. */
  async current(): Promise<readonly T[]> {
    while (this.options.now() - this.#scannedAt >= RESCAN_MS) {
      this.#scanning ??= this.#scan().finally(() => {
        this.#scanning = undefined;
      });
      await this.#scanning;
    }
    return this.#contents;
  }

  /** Makes the next request rescan, even if a scan is running: it may have passed a file that changed since. */
  expire(): void {
    this.#scannedAt = -Infinity;
    this.#expirations++;
  }

  async #scan(): Promise<void> {
    const expirations = this.#expirations;
    const all = await this.options.list();
    if (all.length > LIMITS.artifactFiles) {
      const { log, what } = this.options;
      log.warn(
        { path: all[LIMITS.artifactFiles], limit: LIMITS.artifactFiles },
        `too many ${what}s; the rest is ignored`,
      );
    }
    const paths = all.slice(0, LIMITS.artifactFiles);
    let changed = this.#forgetOthers(new Set(paths));
    const queue = new PQueue({ concurrency: OPEN_FILES });
    const reads = await queue.addAll(paths.map((path) => () => this.#read(path)));
    changed ||= reads.includes(true);
    if (changed) this.#contents = paths.flatMap((path) => this.#files.get(path)?.contents ?? []);
    if (this.#expirations === expirations) this.#scannedAt = this.options.now();
  }

  #forgetOthers(paths: ReadonlySet<string>): boolean {
    const gone = [...this.#files.keys()].filter((path) => !paths.has(path));
    for (const path of gone) this.#files.delete(path);
    return gone.length > 0;
  }

  /** @returns whether the file changed since it was last read */
  async #read(path: string): Promise<boolean> {
    const facts = await stat(path).catch(() => undefined);
    if (!facts) return false;
    const { mtimeMs: modified, size } = facts;
    const known = this.#files.get(path);
    if (known?.modified === modified && known.size === size) return false;
    this.#files.set(path, { modified, size, contents: await this.#parse(path, size) });
    return true;
  }

  async #parse(path: string, size: number): Promise<readonly T[]> {
    if (size > LIMITS.artifactFile) {
      this.#skip(path, 'too large');
      return [];
    }
    try {
      const json: unknown = JSON.parse(await readFile(path, 'utf8'));
      return await this.options.read(json, path);
    } catch {
      this.#skip(path, 'not readable as JSON');
      return [];
    }
  }

  #skip(path: string, why: string): void {
    this.options.log.warn({ path, why }, `${this.options.what} skipped`);
  }
}
