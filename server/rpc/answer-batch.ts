import { RpcError } from '../ethereum/json-rpc';
import { LIMITS } from '../limits';
import { beginCall, isChange, type AnswerText, type Caller } from './fork-call';
import { answerText, errorAnswer, RPC_CODES } from './rpc-message';

/** Where the text of an answer goes, piece by piece. */
export interface AnswerSink {
  /** The client is gone. */
  readonly isGone: boolean;
  /** Resolves when the client has taken as much that more may follow, or is gone. */
  write(text: string): Promise<void>;
}

/**
 * Carries out a batch: reads side by side, but each change in its place, so that what follows it sees it done. Each answer is sent as
 * soon as those before it are, and waits for a client that is slow: so a batch needs no more memory than the calls that are under way.
 * @returns whether there was an answer: notifications have none
 */
export async function answerBatch(
  caller: Caller,
  messages: readonly unknown[],
  sink: AnswerSink,
): Promise<boolean> {
  const maxCalls = LIMITS.rpcBatch;
  if (messages.length === 0 || messages.length > maxCalls) {
    const reason = `the batch has ${messages.length} requests; accepted: 1 to ${maxCalls}`;
    const error = new RpcError(RPC_CODES.invalidRequest, reason);
    await sink.write(answerText(errorAnswer(null, error)));
    return true;
  }
  let count = 0;
  const send = async ({ text, held }: AnswerText): Promise<void> => {
    try {
      if (text === undefined || sink.isGone) return;
      await sink.write((count++ === 0 ? '[' : ',') + text);
    } finally {
      held.release();
    }
  };
  let sent = Promise.resolve();
  const reads: Promise<unknown>[] = [];
  for (const message of messages) {
    const changes = isChange(message);
    // A client that is gone has no use for what it would read; what it changes was asked for.
    if (sink.isGone && !changes) continue;
    if (changes) await Promise.all(reads.splice(0));
    const { answer } = await beginCall(caller, message);
    sent = sent.then(() => answer).then(send);
    if (changes) await answer;
    else reads.push(answer.then(() => undefined)); // without its text
  }
  await sent;
  if (count === 0) return false;
  await sink.write(']');
  return true;
}
