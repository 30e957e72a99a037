import { randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import { WebSocket } from 'ws';
import { shown } from '../../api/errors';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import type { OpenFork } from '../life/forks';
import { headOf } from '../reads/block-numbers';
import { checkCriteria, followerOf, newsOf } from '../reads/new-events';
import type { RunningFork } from '../reads/running-fork';
import type { Follower, ForkFeed, Topic } from '../writes/fork-feed';
import { LIMITS } from '../../api/limits';
import type { Resumption } from './link-messages';
import type { WebSocketSender } from './websocket-sender';
import { RPC_CODES } from '../../api/rpc-codes';
import type { RpcRequest } from '../../evm/forms/rpc-message';

interface Subscription {
  /** Of `eth_subscribe`. */
  params: readonly unknown[];
  topic: Topic;
  follower: Follower;
  feed: ForkFeed;
}

/** RFC 6455 §7.4.1: an unexpected condition. */
const INTERNAL = 1011;

/**
 * The subscriptions of one client. They follow the fork and not its engine, so they survive while the fork sleeps and when an engine ends.
 */
export class ForkSubscriptions {
  readonly #subscriptions = new Map<string, Subscription>();
  #stopRewinds: (() => void) | undefined;
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
    return this.#queue.add(async () => {
      const result = this.#execute(request);
      await answer(result);
      const id = await result.catch(() => undefined);
      if (typeof id === 'string') this.#report(id);
    });
  }

  /** Continues a subscription of the node that ran the fork before. If that fails, the client has to connect again. */
  resume({ id, params, state }: Resumption): void {
    void this.#queue.add(async () => {
      try {
        await this.fork.use(async (fork) => {
          const topic = await topicOf(fork, ...params);
          const position = fork.feed.positionOf(state, headOf(fork));
          this.#follow(fork, { topic, params, id, position });
        });
        await this.#notify(id);
      } catch {
        this.client.close(INTERNAL, 'a subscription could not be continued');
      }
    });
  }

  close(): void {
    this.#stopRewinds?.();
    for (const { feed, follower } of this.#subscriptions.values()) feed.unfollow(follower);
    this.#subscriptions.clear();
  }

  async #execute({ method, params }: RpcRequest): Promise<unknown> {
    if (method === 'eth_subscribe') {
      return this.fork.use(async (fork) =>
        this.#follow(fork, { topic: await topicOf(fork, ...params), params }),
      );
    }
    const [id] = params;
    if (typeof id !== 'string') {
      throw invalidParams('the subscription', id, 'the id that eth_subscribe returned');
    }
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return false;
    subscription.feed.unfollow(subscription.follower);
    this.outgoing.report({ ended: id });
    return this.#subscriptions.delete(id);
  }

  /** @param position undefined: the current head */
  #follow(
    fork: RunningFork,
    {
      topic,
      params,
      id = `0x${randomBytes(16).toString('hex')}`,
      position,
    }: Pick<Subscription, 'topic' | 'params'> & { id?: string; position?: Partial<Follower> },
  ): string {
    const { feed } = fork;
    const { subscriptions } = LIMITS;
    if (this.#subscriptions.size >= subscriptions) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the connection has ${subscriptions} subscriptions, which is the limit; end one with eth_unsubscribe`,
      );
    }
    let isNotified = true;
    const follower: Follower = {
      ...followerOf(fork, topic),
      ...position,
      // A slow client gets one notification run for all events since the last one.
      onNews: () => {
        if (!isNotified) return;
        isNotified = false;
        void this.#queue.add(() => {
          isNotified = true;
          return this.#notify(id);
        });
      },
    };
    // The client may have disconnected during the call.
    if (this.client.readyState !== WebSocket.OPEN) return id;
    feed.follow(follower);
    this.#subscriptions.set(id, { params, topic, follower, feed });
    this.#stopRewinds ??= feed.onRewind(() => {
      for (const one of this.#subscriptions.keys()) this.#report(one);
    });
    return id;
  }

  /** News that cannot be read now is sent with the next news. */
  async #notify(id: string): Promise<void> {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    const { topic, follower } = subscription;
    const news = await this.fork.use((fork) => newsOf(fork, topic, follower)).catch(() => []);
    for (const result of news) {
      const params = { subscription: id, result };
      await this.outgoing.send(
        JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }),
      );
    }
    this.#report(id);
  }

  /** Has the node that the client is connected to remember the position of a subscription. */
  #report(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    const { params, feed, follower } = subscription;
    this.outgoing.report({ follows: { id, params, state: feed.stateOf(follower) } });
  }
}

/** @throws RpcError */
async function topicOf(fork: RunningFork, what?: unknown, options?: unknown): Promise<Topic> {
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
