import { onAbort } from '../../kernel/async/on-abort';
import { RpcError } from '../../evm/forms/json-rpc';
import type { Follower, ForkFeed } from '../writes/fork-feed';
import { readReceipt } from './receipts';
import type { RunningFork } from './running-fork';

/** Access to a fork that can sleep. */
export interface ForkAccess {
  /** Wakes the fork, which stays awake until the task ends. */
  use<T>(task: (fork: RunningFork) => Promise<T>): Promise<T>;
  /** Aborted when its deletion begins. */
  readonly deleted: AbortSignal;
}

/**
 * Waits until a transaction is mined. The fork has an engine only during each check; between checks it may sleep or get another engine.
 * @param feed feed of the fork
 * @param wait milliseconds
 * @returns its receipt
 * @throws RpcError 4 after that time (EIP-7966), with anvil's message; the transaction stays in the pool
 */
export async function awaitReceipt(
  fork: ForkAccess,
  feed: ForkFeed,
  hash: string,
  wait: number,
): Promise<unknown> {
  let end = (): void => undefined;
  try {
    return await new Promise((resolve, reject) => {
      const look = (): void => {
        fork
          .use((awake) => readReceipt(awake, [hash]))
          .then((receipt) => {
            if (receipt !== null) resolve(receipt);
          }, reject);
      };
      const follower: Follower = { position: 0, sent: undefined, bytes: 0, onNews: look };
      feed.follow(follower);
      const timer = setTimeout(() => {
        reject(notConfirmed(hash, wait));
      }, wait).unref();
      const stop = onAbort(fork.deleted, () => {
        reject(fork.deleted.reason as Error);
      });
      end = () => {
        feed.unfollow(follower);
        clearTimeout(timer);
        stop();
      };
      look();
    });
  } finally {
    end();
  }
}

/** EIP-7966. */
const TIMED_OUT = 4;

const notConfirmed = (hash: string, wait: number): RpcError =>
  new RpcError(
    TIMED_OUT,
    `Transaction confirmation timeout: ${hash} waits in the pool and was not mined within ${wait} ms`,
    hash,
  );
