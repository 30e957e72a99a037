import { randomBytes } from 'node:crypto';
import { invalidParams, RpcError } from '../../ethereum/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import type { Follower, ForkFeed, Topic } from '../writes/fork-feed';

interface Filter {
  topic: Topic;
  follower: Follower;
}

/**
 * Filters of a fork, such as those of `eth_newFilter`. They survive while the fork sleeps and when it gets another engine, and end with the
 * service: they are not in the journal.
 */
export class ForkFilters {
  readonly #filters = new Map<string, Filter>();

  constructor(private readonly feed: ForkFeed) {}

  /**
   * Adds a filter. Few clients uninstall theirs, so beyond the limit the least recently used one is removed.
   * @returns its id
   * @throws RpcError -32005
   */
  add(topic: Topic, follower: Follower): string {
    const [oldest] = this.#filters.keys();
    if (oldest !== undefined && this.#filters.size >= LIMITS.filters) this.remove(oldest);
    this.feed.follow(follower);
    const id = `0x${randomBytes(16).toString('hex')}`;
    this.#filters.set(id, { topic, follower });
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

  /** @returns false if there is no such filter */
  remove(id: unknown): boolean {
    const key = keyOf(id);
    const filter = this.#filters.get(key);
    if (filter) this.feed.unfollow(filter.follower);
    return this.#filters.delete(key);
  }
}

function keyOf(id: unknown): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw invalidParams('the filter', id, 'the id that its creation returned');
}
