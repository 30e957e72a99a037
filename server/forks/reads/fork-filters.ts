import { randomBytes } from 'node:crypto';
import { invalidParams, RpcError } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';
import type { Follower, ForkFeed, Topic } from '../writes/fork-feed';

interface Filter {
  topic: Topic;
  follower: Follower;
}

/**
 * What `eth_newFilter` and its kin made on a fork. They hold on while the fork sleeps and whatever engine it has, and end with the
 * service: no journal has them, as on every node.
 */
export class ForkFilters {
  readonly #filters = new Map<string, Filter>();

  constructor(private readonly feed: ForkFeed) {}

  /**
   * Few clients uninstall theirs: beyond the limit the one that was unused for longest ends.
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

  /** @throws RpcError where there is none, and for what is no id */
  find(id: unknown): Filter {
    const key = keyOf(id);
    const filter = this.#filters.get(key);
    if (!filter) throw new RpcError(-32000, 'filter not found');
    this.#filters.delete(key);
    this.#filters.set(key, filter);
    return filter;
  }

  /** @returns false where there is none */
  remove(id: unknown): boolean {
    const key = keyOf(id);
    const filter = this.#filters.get(key);
    if (filter) this.feed.unfollow(filter.follower);
    return this.#filters.delete(key);
  }
}

function keyOf(id: unknown): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw invalidParams('the filter', id, 'the id that its creation answered');
}
