/** How many transactions a follower may miss: a filter that nobody reads must not grow. */
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
  /** Hashes of transactions that came into the pool and that it does not know of; undefined: it does not want to. */
  hashes: string[] | undefined;
  /** Called when there may be something that it does not know of. */
  onNews?: () => void;
}

/**
 * What happens on a fork, for those who follow it. All that happens goes through the fork's writing side: so it reaches them whatever
 * engine the fork has, and while the fork sleeps there is nothing that they could miss.
 */
export class ForkFeed {
  readonly #followers = new Set<Follower>();

  follow(follower: Follower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: Follower): void {
    this.#followers.delete(follower);
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Transactions came into the pool. */
  sent(hashes: readonly string[]): void {
    for (const follower of this.#followers) {
      if (!follower.hashes) continue;
      follower.hashes = follower.hashes.concat(hashes).slice(-MAX_HASHES);
      follower.onNews?.();
    }
  }

  /** Blocks were mined. */
  mined(): void {
    for (const { hashes, onNews } of this.#followers) if (!hashes) onNews?.();
  }

  /** The newest block is this one: after a revert, or on a new engine, without what the last one had not acknowledged. */
  rewound(head: number): void {
    for (const follower of this.#followers) {
      follower.position = Math.min(follower.position, head);
    }
  }
}
