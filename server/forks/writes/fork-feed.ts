import { RpcError } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';

/** How many transactions a follower may miss. */
const MAX_HASHES = 10_000;

/** What a filter or a subscription is about. */
export type Topic =
  | { of: 'blocks' }
  /** `whole`: not only their hashes. */
  | { of: 'transactions'; whole?: boolean }
  /** `criteria` as of `eth_getLogs`. */
  | { of: 'logs'; criteria: Readonly<Record<string, unknown>> };

/** What somebody who follows a fork knows of it. */
export interface Follower {
  /** Number of the newest block that it knows of. */
  position: number;
  /** How many of the transactions that came into the pool it knows of; undefined: it does not want to. */
  sent: number | undefined;
  /** Of what it asks for, as JSON. */
  readonly bytes: number;
  /** Called when there may be something that it does not know of. */
  onNews?: () => void;
}

/**
 * What happens on a fork, for those who follow it. All that happens goes through the fork's writing side: so it reaches them whatever
 * engine the fork has, and while the fork sleeps there is nothing that they could miss.
 */
export class ForkFeed {
  readonly #followers = new Set<Follower>();
  /** Hashes of the transactions that came into the pool last. */
  #recent: string[] = [];
  #sent = 0;
  #bytes = 0;

  /** @throws RpcError -32005 where the fork has as many as are allowed */
  follow(follower: Follower): void {
    const { followers, followerBytes } = LIMITS;
    if (this.#followers.size >= followers) {
      throw new RpcError(
        -32005,
        `the fork has ${followers} subscriptions and filters, as many as are allowed; end some first`,
      );
    }
    if (this.#bytes + follower.bytes > followerBytes) {
      throw new RpcError(
        -32005,
        `the subscriptions and filters of the fork would have more than ${followerBytes} bytes; end some first, or name fewer addresses and topics`,
      );
    }
    this.#followers.add(follower);
    this.#bytes += follower.bytes;
  }

  unfollow(follower: Follower): void {
    if (this.#followers.delete(follower)) this.#bytes -= follower.bytes;
  }

  /** Transactions that came into the pool so far. */
  get sentCount(): number {
    return this.#sent;
  }

  /** Their hashes, without the first ones, as far as they are remembered. */
  sentSince(count: number): string[] {
    const unknown = Math.min(this.#sent - count, MAX_HASHES);
    return unknown === 0 ? [] : this.#recent.slice(-unknown);
  }

  /** Transactions came into the pool. */
  sent(hashes: readonly string[]): void {
    this.#sent += hashes.length;
    this.#recent.push(...hashes);
    if (this.#recent.length > 2 * MAX_HASHES) this.#recent = this.#recent.slice(-MAX_HASHES);
    for (const { sent, onNews } of this.#followers) if (sent !== undefined) onNews?.();
  }

  /** Blocks were mined. */
  mined(): void {
    for (const { sent, onNews } of this.#followers) if (sent === undefined) onNews?.();
  }

  /** The newest block is this one: after a revert, or on a new engine, without what the last one had not acknowledged. */
  rewound(head: number): void {
    for (const follower of this.#followers) {
      follower.position = Math.min(follower.position, head);
    }
  }
}
