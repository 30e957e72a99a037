import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { fitsChecksum, withChecksum } from '../files/checksum';
import { replaceFile } from '../files/replace-file';

export interface ServiceCacheOptions<T> {
  /** Undefined: only in memory. */
  folder: string | undefined;
  schema: z.ZodType<T>;
  now?: (() => number) | undefined;
}

const IN_MEMORY = 2_000;
/** Limit of files; the oldest are deleted first. */
const MAX_FILES = 10_000;
/** Writes between two checks of the number of files. */
const WRITES_PER_SWEEP = 500;

interface Entry<T> {
  /** Unix milliseconds; null: never. */
  readonly expires: number | null;
  readonly value: T;
}

/** Answers of a service, in memory and on disk. An unreadable or unwritable file counts as missing. */
export class ServiceCache<T> {
  private readonly memory = new LRUCache<string, Entry<T>>({ max: IN_MEMORY });
  private readonly now: () => number;
  private readonly entrySchema: z.ZodType<Entry<T>>;
  private writes = 0;

  constructor(private readonly options: ServiceCacheOptions<T>) {
    this.now = options.now ?? Date.now;
    this.entrySchema = z.object({
      expires: z.number().nullable(),
      value: options.schema,
    });
  }

  /** @param key of letters, digits, hyphens and slashes */
  async get(key: string): Promise<T | undefined> {
    const entry = this.memory.get(key) ?? (await this.read(key));
    if (!entry || (entry.expires !== null && entry.expires <= this.now())) return undefined;
    this.memory.set(key, entry);
    return entry.value;
  }

  /** @param lifeMs time to live in milliseconds; undefined: the value never expires */
  async set(key: string, value: T, lifeMs?: number): Promise<void> {
    const entry = { expires: lifeMs === undefined ? null : this.now() + lifeMs, value };
    this.memory.set(key, entry);
    const path = this.pathOf(key);
    if (path === undefined) return;
    try {
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, withChecksum(key, JSON.stringify(entry)), { durable: false });
      if (++this.writes % WRITES_PER_SWEEP === 0) await this.sweep();
    } catch {
      // A full disk must not fail an analysis.
    }
  }

  private async read(key: string): Promise<Entry<T> | undefined> {
    const path = this.pathOf(key);
    if (path === undefined) return undefined;
    try {
      const text = await readFile(path, 'utf8');
      return fitsChecksum(key, text)
        ? this.entrySchema.safeParse(JSON.parse(text)).data
        : undefined;
    } catch {
      return undefined;
    }
  }

  private async sweep(): Promise<void> {
    const { folder } = this.options;
    if (folder === undefined) return;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    if (files.length <= MAX_FILES) return;
    const aged = await Promise.all(
      files.map(async (path) => ({ path, modified: (await stat(path)).mtimeMs })),
    );
    aged.sort((a, b) => a.modified - b.modified);
    for (const { path } of aged.slice(0, files.length - MAX_FILES)) await rm(path, { force: true });
  }

  private pathOf(key: string): string | undefined {
    const { folder } = this.options;
    return folder === undefined ? undefined : join(folder, `${key}.json`);
  }
}
