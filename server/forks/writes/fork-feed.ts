import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';

/** Number of transactions that a follower may miss. */
const MAX_HASHES = 10_000;

/** Subject of a filter or a subscription. */
export type Topic =
  | { of: 'blocks' }
  /** `whole`: complete transactions instead of hashes. */
  | { of: 'transactions'; whole?: boolean }
  /** `criteria` as in `eth_getLogs`. */
  | { of: 'logs'; criteria: Readonly<Record<string, unknown>> };

/** The position of a filter or subscription in the feed. */
export interface Follower {
  /** Number of the newest block that was reported to it. */
  position: number;
  /** Number of pooled transactions that were reported to it; undefined: it does not follow them. */
  sent: number | undefined;
  /** Size of its criteria as JSON. */
  readonly bytes: number;
  /** Called when there may be news. */
  onNews?: () => void;
}

/** The position of a follower as another process can continue it. */
export interface FollowerState {
  position: number;
  /** Hash of the newest pooled transaction that was reported to it, null before the first; absent: it does not follow them. */
  lastSent?: string | null;
}

/**
 * Events of a fork for its followers. All events pass through the fork's writing side, so followers receive them whichever engine the fork
 * has. While the fork sleeps there are no events.
 */
export class ForkFeed {
  readonly #followers = new Set<Follower>();
  readonly #rewinds = new Set<(head: number) => Promise<void> | void>();
  /** Hashes of the newest transactions that entered the pool. */
  #recent: string[] = [];
  #sent = 0;
  #bytes = 0;

  /** @throws RpcError -32005 if the fork has the maximum number of followers */
  follow(follower: Follower): void {
    const { followers, followerBytes } = LIMITS;
    if (this.#followers.size >= followers) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the fork has ${followers} subscriptions and filters, which is the limit; remove some first`,
      );
    }
    if (this.#bytes + follower.bytes > followerBytes) {
      throw new RpcError(
        RPC_CODES.limitExceeded,
        `the subscriptions and filters of the fork would have more than ${followerBytes} bytes; remove some first, or name fewer addresses and topics`,
      );
    }
    this.#followers.add(follower);
    this.#bytes += follower.bytes;
  }

  unfollow(follower: Follower): void {
    if (this.#followers.delete(follower)) this.#bytes -= follower.bytes;
  }

  /** Has every rewind wait for a listener. @returns what removes the listener */
  onRewind(listener: (head: number) => Promise<void> | void): () => void {
    this.#rewinds.add(listener);
    return () => void this.#rewinds.delete(listener);
  }

  stateOf({ position, sent }: Follower): FollowerState {
    if (sent === undefined) return { position };
    const index = this.#recent.length - (this.#sent - sent) - 1;
    return { position, lastSent: this.#recent[index] ?? null };
  }

  /** The position of a follower that another process had. @param head number of the newest block */
  positionOf(state: FollowerState, head: number): Pick<Follower, 'position' | 'sent'> {
    const position = Math.min(state.position, head);
    const { lastSent } = state;
    if (lastSent === undefined) return { position, sent: undefined };
    if (lastSent === null) return { position, sent: 0 };
    const index = this.#recent.lastIndexOf(lastSent);
    // A transaction that was reverted is not known any more.
    return {
      position,
      sent: index < 0 ? this.#sent : this.#sent - (this.#recent.length - index - 1),
    };
  }

  /** Number of transactions that entered the pool so far. */
  get sentCount(): number {
    return this.#sent;
  }

  /** Hashes of the transactions after the first `count`, as far as they are remembered. */
  sentSince(count: number): string[] {
    const unknown = Math.min(this.#sent - count, MAX_HASHES);
    return unknown === 0 ? [] : this.#recent.slice(-unknown);
  }

  /** Reports transactions that entered the pool. */
  sent(hashes: readonly string[]): void {
    this.#sent += hashes.length;
    this.#recent.push(...hashes);
    if (this.#recent.length > 2 * MAX_HASHES) this.#recent = this.#recent.slice(-MAX_HASHES);
    for (const { sent, onNews } of this.#followers) if (sent !== undefined) onNews?.();
  }

  /** Records the transactions of the fork's history. Followers are not notified: a feed that has received transactions knows these. */
  restored(hashes: readonly string[]): void {
    if (this.#sent > 0) return;
    this.#sent = hashes.length;
    this.#recent = hashes.slice(-MAX_HASHES);
  }

  /** Reports mined blocks. */
  mined(): void {
    for (const { sent, onNews } of this.#followers) if (sent === undefined) onNews?.();
  }

  /** Sets the newest block after a revert, or on a new engine, which lacks blocks that the last one had not acknowledged. */
  async rewound(head: number): Promise<void> {
    for (const follower of this.#followers) {
      follower.position = Math.min(follower.position, head);
    }
    await Promise.all([...this.#rewinds].map(async (listener) => listener(head)));
  }
}
