import { setTimeout as delay } from 'node:timers/promises';
import { HttpRpcClient } from '../rpc/http-rpc-client';

export interface Patience {
  /** Between two questions, in milliseconds. */
  everyMs: number;
  /** For an answer, in milliseconds. */
  answerMs: number;
  /** Unanswered questions in a row after which an engine hangs. One may be the machine's: it slept. */
  times: number;
}

const PATIENCE: Patience = { everyMs: 10_000, answerMs: 30_000, times: 4 };

export interface PulseOptions {
  /** Of the engine. */
  url: string;
  /** Its chain keeps it waiting: an engine that waits for that answers nothing else either. */
  isWaiting: () => boolean;
  /** Ends the watch. */
  signal: AbortSignal;
  patience?: Patience | undefined;
}

/**
 * Watches an engine for as long as it lives. Anvil can be brought to answer nothing any more, and its process goes on as if nothing were.
 * @returns once the engine hangs; rejects with the signal's reason
 */
export async function untilItHangs(options: PulseOptions): Promise<void> {
  const { url, isWaiting, signal, patience = PATIENCE } = options;
  const { everyMs, answerMs, times } = patience;
  // A connection of its own: those of the fork's users may all be taken.
  const rpc = new HttpRpcClient({ name: 'the engine', urls: [url], rounds: 1 });
  try {
    let unanswered = 0;
    while (unanswered < times) {
      await delay(everyMs, undefined, { signal, ref: false });
      const answer = rpc.request('web3_clientVersion', [], { signal, timeoutMs: answerMs });
      const isThere = await answer.then(
        () => true,
        () => isWaiting(),
      );
      signal.throwIfAborted();
      unanswered = isThere ? 0 : unanswered + 1;
    }
  } finally {
    await rpc.close();
  }
}
