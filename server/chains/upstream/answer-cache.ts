import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { AnswerLocation } from './response-location';

/** A final block of a chain. Its hash commits to all blocks below it, so it validates the kept answers about them. */
export interface Anchor {
  number: string;
  hash: string;
}

/** A shard of one entry that stays as long as its chain is kept. */
export const ANCHOR = 'anchor';

/** Keeps answers between runs, by shard: `<chain>/<name>`. Nothing of it rejects. */
export interface AnswerStore {
  /** @returns key and JSON text of each answer, oldest first; none for a shard that is not there */
  read(shard: string): Promise<[string, string][]>;
  /** Kept soon. */
  append(shard: string, key: string, json: string): void;
  /** Written before what is appended later. */
  setAnchor(chain: string, json: string): void;
  /** Removes all shards of a chain. */
  removeAll(chain: string): Promise<void>;
  /** Resolves when all that was appended is written, or given up. */
  flush(): Promise<void>;
}

interface Shard {
  answers: Map<string, unknown>;
  size: number;
}

const anchorSchema = z.object({
  number: z.string().regex(/^0x[0-9a-f]+$/),
  hash: z.string(),
});
/** Size of the answers in memory, in characters of JSON. */
const MAX_MEMORY = 64 * 1024 * 1024;
/** Limit for one shard, so that it does not evict all others. Answers beyond it are not kept. */
const MAX_SHARD = MAX_MEMORY / 4;
/** Approximate memory that a map needs for each entry. */
const OVERHEAD = 150;

/** Answers that never change, in memory and on disk, by chain (slug) and place. The least recently used are evicted first. */
export class AnswerCache {
  readonly #memory: LRUCache<string, Shard>;
  readonly #loading = new Map<string, Promise<Shard>>();
  readonly #files: AnswerStore | undefined;

  /**
   * @param files if undefined, answers last as long as the process
   * @param onLookUp receives whether an answer was there
   */
  constructor(
    files?: AnswerStore,
    private readonly onLookUp?: (isHit: boolean) => void,
  ) {
    this.#memory = new LRUCache({ maxSize: MAX_MEMORY, sizeCalculation: ({ size }) => size });
    this.#files = files;
  }

  /** @returns undefined if no answer is kept; an answer is never undefined. The value is shared: do not change it */
  async get(
    chain: string,
    { shard, key }: Pick<AnswerLocation, 'shard' | 'key'>,
  ): Promise<unknown> {
    const answer = (await this.#shard(`${chain}/${shard}`)).answers.get(key);
    this.onLookUp?.(answer !== undefined);
    return answer;
  }

  async put(
    chain: string,
    { shard, key }: Pick<AnswerLocation, 'shard' | 'key'>,
    answer: unknown,
  ): Promise<void> {
    const name = `${chain}/${shard}`;
    const json = JSON.stringify(answer);
    const kept = await this.#shard(name);
    const size = kept.size + json.length + OVERHEAD;
    if (size > MAX_SHARD) return;
    kept.answers.set(key, answer);
    kept.size = size;
    // The LRU cache computes the size of an entry only when it is set.
    this.#memory.delete(name);
    this.#memory.set(name, kept);
    this.#files?.append(name, key, json);
  }

  /** @returns the block that validates the answers that an earlier process kept for a chain */
  async anchor(chain: string): Promise<Anchor | undefined> {
    const entry = (await this.#files?.read(`${chain}/${ANCHOR}`))?.at(-1);
    const found = anchorSchema.safeParse(entry && JSON.parse(entry[1]));
    return found.success ? found.data : undefined;
  }

  setAnchor(chain: string, anchor: Anchor): void {
    this.#files?.setAnchor(chain, JSON.stringify(anchor));
  }

  /** Removes all answers of a chain, because it turned out to be another chain. */
  async clear(chain: string): Promise<void> {
    for (const name of this.#memory.keys()) {
      if (name.startsWith(`${chain}/`)) this.#memory.delete(name);
    }
    await this.#files?.removeAll(chain);
  }

  /** Resolves when all answers are on disk. */
  async close(): Promise<void> {
    await this.#files?.flush();
  }

  async #shard(name: string): Promise<Shard> {
    const known = this.#memory.get(name);
    if (known) return known;
    let loading = this.#loading.get(name);
    if (!loading) {
      loading = this.#load(name).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return loading;
  }

  async #load(name: string): Promise<Shard> {
    const shard: Shard = { answers: new Map(), size: OVERHEAD };
    for (const [key, json] of (await this.#files?.read(name)) ?? []) {
      if (shard.size + json.length > MAX_SHARD) break;
      shard.answers.set(key, JSON.parse(json));
      shard.size += json.length + OVERHEAD;
    }
    this.#memory.set(name, shard);
    return shard;
  }
}
