import { LRUCache } from 'lru-cache';
import type * as z from 'zod';

export interface CachedLookup {
  /** Unix milliseconds; null: never. */
  readonly expires: number | null;
  readonly value: unknown;
}

/** Keeps answers of public services between runs. */
export interface LookupStore {
  /** @param key of letters, digits, hyphens and slashes. @returns undefined where there is none that can be read */
  read(key: string): Promise<CachedLookup | undefined>;
  /** Never rejects: what cannot be written is not kept. */
  write(key: string, kept: CachedLookup): Promise<void>;
}

export interface LookupCacheOptions<T> {
  /** Undefined: in memory alone. */
  store: LookupStore | undefined;
  schema: z.ZodType<T>;
  now?: (() => number) | undefined;
  /** Limit of the answers in memory. */
  inMemory?: number;
}

const IN_MEMORY = 2_000;

interface Entry<T> {
  readonly expires: number | null;
  readonly value: T;
}

/** Answers of a public service, in memory and in a store. */
export class LookupCache<T> {
  readonly #memory: LRUCache<string, Entry<T>>;
  readonly #now: () => number;

  constructor(private readonly options: LookupCacheOptions<T>) {
    this.#now = options.now ?? Date.now;
    this.#memory = new LRUCache({ max: options.inMemory ?? IN_MEMORY });
  }

  /** @param key of letters, digits, hyphens and slashes */
  async get(key: string): Promise<T | undefined> {
    const entry = this.#memory.get(key) ?? (await this.#read(key));
    if (!entry || (entry.expires !== null && entry.expires <= this.#now())) return undefined;
    this.#memory.set(key, entry);
    return entry.value;
  }

  /** @param lifeMs undefined: it never expires */
  async set(key: string, value: T, lifeMs?: number): Promise<void> {
    const entry = { expires: lifeMs === undefined ? null : this.#now() + lifeMs, value };
    this.#memory.set(key, entry);
    await this.options.store?.write(key, entry);
  }

  async #read(key: string): Promise<Entry<T> | undefined> {
    const kept = await this.options.store?.read(key);
    if (kept === undefined) return undefined;
    const value = this.options.schema.safeParse(kept.value);
    return value.success ? { expires: kept.expires, value: value.data } : undefined;
  }
}
