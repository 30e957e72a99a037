import { RpcError } from '../../evm/forms/json-rpc';
import type { Topic } from '../writes/fork-feed';
import { readLogs } from './logs';
import { checkCriteria, followerOf, newsOf, numberOf } from './new-events';
import type { ForkRead, RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

/** Methods of filters, such as `eth_newFilter`. */
export const FILTER_METHODS: ReadonlyMap<string, ForkRead> = new Map(
  Object.entries<ForkRead>({
    eth_newFilter: async (fork, [given]) => {
      const criteria = await checkCriteria(fork, given);
      const topic: Topic = { of: 'logs', criteria };
      const follower = followerOf(fork, topic);
      // The filter includes existing blocks from `fromBlock` on.
      const from = numberOf(criteria['fromBlock']);
      if (from !== undefined) follower.position = Math.min(follower.position, from - 1);
      return fork.filters.add(topic, follower);
    },
    eth_newBlockFilter: (fork) => add(fork, { of: 'blocks' }),
    eth_newPendingTransactionFilter: (fork) => add(fork, { of: 'transactions' }),
    eth_getFilterChanges: (fork, [id]) =>
      fork.filters.advance(id, async ({ topic, follower }) => {
        const news = await newsOf(fork, topic, follower);
        return topic.of === 'blocks' ? news.map((block) => (block as { hash: string }).hash) : news;
      }),
    eth_getFilterLogs: async (fork, [id]) => {
      const { topic } = fork.filters.find(id);
      if (topic.of !== 'logs') throw new RpcError(RPC_CODES.invalidInput, 'filter not found');
      return readLogs(fork, [topic.criteria]);
    },
    eth_uninstallFilter: (fork, [id]) => fork.filters.remove(id),
  }),
);

const add = (fork: RunningFork, topic: Topic): Promise<string> =>
  fork.filters.add(topic, followerOf(fork, topic));
