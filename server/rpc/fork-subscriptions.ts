import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { shown } from '../api/errors';
import { invalidParams, RpcError } from '../ethereum/json-rpc';
import type { OpenFork } from '../forks/forks';
import { checkCriteria, followerOf, newsOf } from '../forks/reads/news';
import type { RunningFork } from '../forks/reads/running-fork';
import type { Follower, Topic } from '../forks/writes/fork-feed';
import { SerialQueue } from '../serial-queue';
import { RPC_CODES, type RpcRequest } from './rpc-message';

/** Of all clients of one fork, filters included: each costs every block some work. */
const MAX_FOLLOWERS = 2_000;
/** Of one connection. */
const MAX_SUBSCRIPTIONS = 200;

/**
 * The subscriptions of one client. They follow the fork and not its engine: so they hold on while the fork sleeps, and over the end of
 * an engine.
 */
export class ForkSubscriptions {
  readonly #ends = new Map<string, () => void>();
  /** Notifications come in order, behind the answer that names their subscription. */
  readonly #queue = new SerialQueue();

  constructor(
    private readonly fork: OpenFork,
    private readonly client: WebSocket,
  ) {}

  /**
   * @param answer sends the result, or why there is none
   * @returns when that is done
   */
  answer(request: RpcRequest, answer: (result: Promise<unknown>) => Promise<void>): Promise<void> {
    return this.#queue.add(() => answer(this.#carryOut(request)));
  }

  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  async #carryOut({ method, params }: RpcRequest): Promise<unknown> {
    const [first, second] = params;
    if (method === 'eth_subscribe') {
      return this.fork.use(async (fork) => this.#follow(fork, await topicOf(fork, first, second)));
    }
    const id = first;
    if (typeof id !== 'string') {
      throw invalidParams('the subscription', id, 'the id that eth_subscribe answered');
    }
    this.#ends.get(id)?.();
    return this.#ends.delete(id);
  }

  #follow(fork: RunningFork, topic: Topic): string {
    const { feed } = fork;
    if (this.#ends.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the connection has ${MAX_SUBSCRIPTIONS} subscriptions, as many as are allowed; end one by eth_unsubscribe`,
      );
    }
    if (feed.size >= MAX_FOLLOWERS) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the fork has ${MAX_FOLLOWERS} subscriptions and filters, as many as are allowed`,
      );
    }
    const id = `0x${randomBytes(16).toString('hex')}`;
    const follower: Follower = {
      ...followerOf(fork, topic),
      onNews: () => void this.#queue.add(() => this.#notify(id, topic, follower)),
    };
    // The client may have left meanwhile.
    if (this.client.readyState !== WebSocket.OPEN) return id;
    feed.follow(follower);
    this.#ends.set(id, () => {
      feed.unfollow(follower);
    });
    return id;
  }

  /** What could not be read is told with the next news. */
  async #notify(id: string, topic: Topic, follower: Follower): Promise<void> {
    if (!this.#ends.has(id)) return;
    const news = await this.fork.use((fork) => newsOf(fork, topic, follower)).catch(() => []);
    for (const result of news) {
      const params = { subscription: id, result };
      this.client.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
    }
  }
}

/** @throws RpcError */
async function topicOf(fork: RunningFork, what: unknown, options: unknown): Promise<Topic> {
  switch (what) {
    case 'newHeads':
      return { of: 'blocks' };
    case 'newPendingTransactions':
      return { of: 'transactions', whole: options === true };
    case 'logs': {
      const { address, topics } = await checkCriteria(fork, options ?? undefined);
      return { of: 'logs', criteria: { address, topics } };
    }
  }
  throw new RpcError(
    RPC_CODES.invalidParams,
    `the subscription is ${shown(what)}; accepted: "newHeads", "logs", "newPendingTransactions"`,
  );
}
