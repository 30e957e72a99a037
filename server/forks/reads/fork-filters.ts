import { randomBytes } from 'node:crypto';
import { RpcError } from '../../ethereum/json-rpc';
import type { Follower, ForkFeed } from '../writes/fork-feed';
import { readLogs } from './logs';
import type { RunningFork } from '../methods/fork-methods';
import { checkCriteria, followerOf, newsOf, numberOf, type Topic } from './news';

/** Filters of one fork; who adds another ends the one that was unused for longest, since few clients uninstall theirs. */
const MAX_FILTERS = 1_000;

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

  /** @returns its id */
  add(topic: Topic, follower: Follower): string {
    const [oldest] = this.#filters.keys();
    if (oldest !== undefined && this.#filters.size >= MAX_FILTERS) this.remove(oldest);
    const id = `0x${randomBytes(16).toString('hex')}`;
    this.#filters.set(id, { topic, follower });
    this.feed.follow(follower);
    return id;
  }

  /** @throws RpcError where there is none */
  find(id: unknown): Filter {
    const filter = this.#filters.get(String(id));
    if (!filter) throw new RpcError(-32000, 'filter not found');
    this.#filters.delete(String(id));
    this.#filters.set(String(id), filter);
    return filter;
  }

  /** @returns false where there is none */
  remove(id: unknown): boolean {
    const filter = this.#filters.get(String(id));
    if (filter) this.feed.unfollow(filter.follower);
    return this.#filters.delete(String(id));
  }
}

type Read = (fork: RunningFork, params: readonly unknown[]) => Promise<unknown>;

/** Methods of filters. */
export const FILTER_METHODS: Readonly<Record<string, Read>> = {
  eth_newFilter: async (fork, [given]) => {
    const criteria = await checkCriteria(fork, given);
    const topic: Topic = { of: 'logs', criteria };
    const follower = followerOf(fork, topic);
    // It begins with what there is already from the block that is named on.
    const from = numberOf(criteria['fromBlock']);
    if (from !== undefined) follower.position = Math.min(follower.position, from - 1);
    return fork.filters.add(topic, follower);
  },
  eth_newBlockFilter: (fork) => add(fork, { of: 'blocks' }),
  eth_newPendingTransactionFilter: (fork) => add(fork, { of: 'transactions' }),
  eth_getFilterChanges: async (fork, [id]) => {
    const { topic, follower } = fork.filters.find(id);
    const news = await newsOf(fork, topic, follower);
    return topic.of === 'blocks' ? news.map((block) => (block as { hash: string }).hash) : news;
  },
  eth_getFilterLogs: async (fork, [id]) => {
    const { topic } = fork.filters.find(id);
    if (topic.of !== 'logs') throw new RpcError(-32000, 'filter not found');
    return readLogs(fork, [topic.criteria]);
  },
  eth_uninstallFilter: (fork, [id]) => Promise.resolve(fork.filters.remove(id)),
};

const add = (fork: RunningFork, topic: Topic): Promise<string> =>
  Promise.resolve(fork.filters.add(topic, followerOf(fork, topic)));
