import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { beginCall, isChange, type AnswerText, type Caller } from './fork-call';
import { RPC_CODES } from '../../api/rpc-codes';
import { answerText, errorAnswer } from '../../evm/forms/rpc-message';

/** Receives the text of an answer in pieces. */
export interface AnswerSink {
  /** The client has disconnected. */
  readonly isGone: boolean;
  /** Resolves when the sink can accept more text, or when the client has disconnected. */
  write(text: string): Promise<void>;
}

/**
 * Executes a batch. Reads run concurrently; each change runs alone, after all calls before it and before all calls after it. Each answer is
 * sent as soon as the answers before it are sent, and waits for a slow client. A batch therefore needs memory only for the calls under way.
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
  const send = async ({ text, reserved }: AnswerText): Promise<void> => {
    try {
      if (text === undefined || sink.isGone) return;
      await sink.write((count++ === 0 ? '[' : ',') + text);
    } finally {
      reserved.release();
    }
  };
  // eslint-disable-next-line promises/handled-at-once -- answers and sinks never reject
  let sent = Promise.resolve();
  const reads: Promise<unknown>[] = [];
  for (const message of messages) {
    const changes = isChange(message);
    // The answers of reads are useless once the client has disconnected. Changes were requested and are still made.
    if (sink.isGone && !changes) continue;
    if (changes) await Promise.all(reads.splice(0));
    const { answer } = await beginCall(caller, message);
    sent = sent.then(() => answer).then(send);
    if (changes) await answer;
    else reads.push(answer.then(() => undefined)); // drops the text
  }
  await sent;
  if (count === 0) return false;
  await sink.write(']');
  return true;
}
