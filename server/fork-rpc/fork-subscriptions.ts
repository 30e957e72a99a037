import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { WebSocket } from 'ws';
import { shown } from '../api/errors';
import { invalidParams, RpcError } from '../ethereum/json-rpc';
import type { OpenFork } from '../forks/forks';
import { checkCriteria, followerOf, newsOf } from '../forks/reads/news';
import type { RunningFork } from '../forks/reads/running-fork';
import type { Follower, Topic } from '../forks/writes/fork-feed';
import { LIMITS } from '../api/limits';
import type { WebSocketSender } from './websocket-sender';
import { RPC_CODES } from '../api/rpc-codes';
import type { RpcRequest } from '../ethereum/rpc-message';

/**
 * The subscriptions of one client. They follow the fork and not its engine, so they survive while the fork sleeps and when an engine ends.
 */
export class ForkSubscriptions {
  readonly #ends = new Map<string, () => void>();
  /** Sends notifications in order, after the answer that names their subscription. */
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(
    private readonly fork: OpenFork,
    private readonly client: WebSocket,
    private readonly outgoing: WebSocketSender,
  ) {}

  /**
   * @param answer sends the result or the error
   * @returns when the answer is sent
   */
  answer(request: RpcRequest, answer: (result: Promise<unknown>) => Promise<void>): Promise<void> {
    return this.#queue.add(() => answer(this.#execute(request)));
  }

  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  async #execute({ method, params }: RpcRequest): Promise<unknown> {
    const [first, second] = params;
    if (method === 'eth_subscribe') {
      return this.fork.use(async (fork) => this.#follow(fork, await topicOf(fork, first, second)));
    }
    const id = first;
    if (typeof id !== 'string') {
      throw invalidParams('the subscription', id, 'the id that eth_subscribe returned');
    }
    this.#ends.get(id)?.();
    return this.#ends.delete(id);
  }

  #follow(fork: RunningFork, topic: Topic): string {
    const { feed } = fork;
    const { subscriptions } = LIMITS;
    if (this.#ends.size >= subscriptions) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the connection has ${subscriptions} subscriptions, which is the limit; end one with eth_unsubscribe`,
      );
    }
    const id = `0x${randomBytes(16).toString('hex')}`;
    let isNotified = true;
    const follower: Follower = {
      ...followerOf(fork, topic),
      // A slow client gets one notification run for all events since the last one.
      onNews: () => {
        if (!isNotified) return;
        isNotified = false;
        void this.#queue.add(() => {
          isNotified = true;
          return this.#notify(id, topic, follower);
        });
      },
    };
    // The client may have disconnected during the call.
    if (this.client.readyState !== WebSocket.OPEN) return id;
    feed.follow(follower);
    this.#ends.set(id, () => {
      feed.unfollow(follower);
    });
    return id;
  }

  /** News that cannot be read now is sent with the next news. */
  async #notify(id: string, topic: Topic, follower: Follower): Promise<void> {
    if (!this.#ends.has(id)) return;
    const news = await this.fork.use((fork) => newsOf(fork, topic, follower)).catch(() => []);
    for (const result of news) {
      const params = { subscription: id, result };
      await this.outgoing.send(
        JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }),
      );
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
