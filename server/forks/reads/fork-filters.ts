import { randomBytes } from 'node:crypto';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import type { Follower, FollowerState, ForkFeed, Topic } from '../writes/fork-feed';

interface Filter {
  topic: Topic;
  follower: Follower;
}

/** A filter as other nodes read it. */
export interface FilterRecord {
  id: string;
  topic: Topic;
  state: FollowerState;
}

/** The filters of one fork in a store that nodes share. Promises of changes settle when the change is durable. */
export interface FilterRecords {
  /** Least recently changed first. */
  all(): Promise<readonly FilterRecord[]>;
  put(record: FilterRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Sets filters that are ahead of a block back to it. */
  rewind(head: number): Promise<void>;
}

/**
 * Filters of a fork, such as those of `eth_newFilter`. They survive while the fork sleeps and when it gets another engine. They are not in
 * the journal: they end with the service, unless nodes share them.
 */
export class ForkFilters {
  readonly #filters = new Map<string, Filter>();
  #isLoaded = false;

  /** @param records undefined: no other node continues the filters */
  constructor(
    private readonly feed: ForkFeed,
    private readonly records?: FilterRecords,
  ) {
    if (records) {
      feed.onRewind(async (head) => {
        if (this.#filters.size === 0) return;
        // The revert is in the journal: it must not fail any more. The next news of a filter writes its position again.
        await records.rewind(head).catch(() => undefined);
      });
    }
  }

  /** Continues the filters of the node that ran the fork before. @param head number of the newest block */
  async load(head: number): Promise<void> {
    if (this.#isLoaded || !this.records) return;
    for (const { id, topic, state } of await this.records.all()) {
      const follower = {
        ...this.feed.positionOf(state, head),
        bytes: JSON.stringify(topic).length,
      };
      this.feed.follow(follower);
      this.#filters.set(id, { topic, follower });
    }
    this.#isLoaded = true;
  }

  /**
   * Adds a filter. Few clients uninstall theirs, so beyond the limit the least recently used one is removed.
   * @returns its id
   * @throws RpcError -32005
   */
  async add(topic: Topic, follower: Follower): Promise<string> {
    const [oldest] = this.#filters.keys();
    if (oldest !== undefined && this.#filters.size >= LIMITS.filters) await this.remove(oldest);
    this.feed.follow(follower);
    const id = `0x${randomBytes(16).toString('hex')}`;
    this.#filters.set(id, { topic, follower });
    await this.#put(id);
    return id;
  }

  /** @throws RpcError for an unknown or invalid id */
  find(id: unknown): Filter {
    const key = keyOf(id);
    const filter = this.#filters.get(key);
    if (!filter) throw new RpcError(RPC_CODES.invalidInput, 'filter not found');
    this.#filters.delete(key);
    this.#filters.set(key, filter);
    return filter;
  }

  /**
   * Reads the news of a filter. @param read advances its follower
   * @throws RpcError, ApiError; the filter is not advanced then
   */
  async advance<News>(id: unknown, read: (filter: Filter) => Promise<News>): Promise<News> {
    const filter = this.find(id);
    const { position, sent } = filter.follower;
    const news = await read(filter);
    if (filter.follower.position === position && filter.follower.sent === sent) return news;
    try {
      await this.#put(keyOf(id));
    } catch (error) {
      filter.follower.position = Math.min(filter.follower.position, position);
      filter.follower.sent = sent;
      throw error;
    }
    return news;
  }

  /** @returns false if there is no such filter */
  async remove(id: unknown): Promise<boolean> {
    const key = keyOf(id);
    const filter = this.#filters.get(key);
    if (!filter) return false;
    this.feed.unfollow(filter.follower);
    this.#filters.delete(key);
    await this.records?.remove(key);
    return true;
  }

  async #put(id: string): Promise<void> {
    const filter = this.#filters.get(id);
    if (!filter) return;
    const { topic, follower } = filter;
    await this.records?.put({ id, topic, state: this.feed.stateOf(follower) });
  }
}

function keyOf(id: unknown): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw invalidParams('the filter', id, 'the id that its creation returned');
}
