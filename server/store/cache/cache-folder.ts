import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

export interface CacheFolderOptions {
  folder: string;
  /** Of all files together. */
  limit: { bytes: number } | { files: number };
  /** Names of files that stay. */
  isProtected?: (name: string) => boolean;
}

interface CachedFile {
  path: string;
  /** In the unit of the limit. */
  size: number;
  usedAt: number;
}

/** What is left when the files have grown beyond the limit. */
const SHARE_AFTER_EVICTION = 0.8;

/** Bounds the files of a cache on disk: when all together exceed the limit, those that were not used for longest are removed. */
export class CacheFolder {
  readonly #limit: number;
  readonly #countsBytes: boolean;
  /** In the unit of the limit; undefined until it is counted. */
  #size: number | undefined;

  constructor(private readonly options: CacheFolderOptions) {
    const { limit } = options;
    this.#countsBytes = 'bytes' in limit;
    this.#limit = 'bytes' in limit ? limit.bytes : limit.files;
  }

  /** @param name with slashes for folders */
  pathOf(name: string): string {
    return join(this.options.folder, name);
  }

  /** Marks a file as used now. */
  async touch(path: string): Promise<void> {
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined); // removed in the meantime
  }

  /**
   * Removes files if a written one exceeds the limit. A file that was replaced counts twice until files are removed, which counts them again.
   * @param bytes that were added
   */
  async added(bytes: number): Promise<void> {
    if (this.#size === undefined) await this.#count();
    else this.#size += this.#countsBytes ? bytes : 1;
    if ((this.#size ?? 0) > this.#limit) await this.#shrink();
  }

  /** Removes the files below a folder, or one file. */
  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { recursive: true, force: true });
    this.#size = undefined;
  }

  async #shrink(): Promise<void> {
    const files = (await this.#count()).sort((a, b) => a.usedAt - b.usedAt);
    if ((this.#size ?? 0) <= this.#limit) return;
    for (const { path, size } of files) {
      if ((this.#size ?? 0) <= this.#limit * SHARE_AFTER_EVICTION) break;
      await rm(path, { force: true });
      this.#size = (this.#size ?? 0) - size;
    }
  }

  async #count(): Promise<CachedFile[]> {
    const { folder, isProtected = () => false } = this.options;
    const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
    const files: CachedFile[] = [];
    for (const entry of entries) {
      if (!entry.isFile() || isProtected(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined); // removed in the meantime
      if (found) {
        const size = this.#countsBytes ? found.size : 1;
        files.push({ path, size, usedAt: found.mtimeMs });
      }
    }
    this.#size = files.reduce((sum, { size }) => sum + size, 0);
    return files;
  }
}
