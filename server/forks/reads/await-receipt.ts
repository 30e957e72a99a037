import { RpcError } from '../../ethereum/json-rpc';
import type { Follower } from '../writes/fork-feed';
import { headOf } from './block-numbers';
import { readReceipt } from './receipts';
import type { RunningFork } from './running-fork';

/**
 * The receipt of a transaction that was sent, as soon as it is mined.
 * @param wait milliseconds
 * @throws RpcError 4 after that time (EIP-7966), in anvil's words: the transaction still waits then
 */
export async function awaitReceipt(
  fork: RunningFork,
  hash: string,
  wait: number,
): Promise<unknown> {
  const receipt = await readReceipt(fork, [hash]);
  if (receipt !== null) return receipt;
  let follower: Follower | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const look = (): void => {
        readReceipt(fork, [hash]).then((found) => {
          if (found !== null) resolve(found);
        }, reject);
      };
      follower = { position: headOf(fork), sent: undefined, bytes: 0, onNews: look };
      fork.feed.follow(follower);
      timer = setTimeout(() => {
        reject(notConfirmed(hash, wait));
      }, wait).unref();
      look();
    });
  } finally {
    clearTimeout(timer);
    if (follower) fork.feed.unfollow(follower);
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
