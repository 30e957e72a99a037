import type { ServerResponse } from 'node:http';
import { answerBatch } from './answer-batch';
import type { Caller } from './fork-call';
import { REQUEST_ID_HEADER, type RequestTrace } from '../../kernel/requests/request-trace';
import { answerText, type RpcAnswer } from '../../evm/forms/rpc-message';
import { endTogether } from '../../kernel/streams/end-together';
import { writeText } from '../../kernel/streams/write-text';

/** Wallets and apps in a browser use a fork from any origin, because its address is the credential. No other route allows CORS. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
export const CORS = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*, authorization, content-type',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '86400',
};

export const ANSWER = { ...ANY_ORIGIN, 'content-type': 'application/json' };
/** Headers up to the value of the last one. */
const ANSWER_HEAD = [...Object.entries(ANSWER).flat(), 'content-length'];

/** Longest answer that is sent in one piece, in characters. */
const SHORT_ANSWER = 64 * 1024;

export const failure = (code: number, message: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});

/**
 * Sends the answer in one piece with its length. Chunked encoding would cost both sides more than the answer itself.
 * @param trace the request, if the answer does not name it yet: headers that are set before cost more
 */
export function sendShort(
  response: ServerResponse,
  status: number,
  text: string,
  trace?: RequestTrace,
): void {
  const head = [...ANSWER_HEAD, Buffer.byteLength(text)];
  if (trace) head.push(REQUEST_ID_HEADER, trace.id);
  endTogether(response.writeHead(status, head), text);
}

/** Sends each answer when it is ready. The head is sent with the first answer, because a batch of notifications has none. */
export async function sendBatch(
  caller: Caller,
  messages: readonly unknown[],
  response: ServerResponse,
): Promise<void> {
  const answered = await answerBatch(caller, messages, {
    get isGone() {
      return response.destroyed;
    },
    write: (text) => {
      if (!response.headersSent) response.writeHead(200, ANSWER);
      return writeText(response, text);
    },
  });
  if (answered) response.end();
  else response.writeHead(204, ANY_ORIGIN).end();
}

/** @param text undefined for a notification */
export async function sendText(
  response: ServerResponse,
  status: number,
  text: string | undefined,
): Promise<void> {
  if (text === undefined) {
    response.writeHead(204, ANY_ORIGIN).end();
    return;
  }
  if (text.length <= SHORT_ANSWER) {
    sendShort(response, status, text);
    return;
  }
  response.writeHead(status, ANSWER);
  await writeText(response, text);
  response.end();
}

export function send(response: ServerResponse, status: number, answer: RpcAnswer): void {
  sendShort(response, status, answerText(answer));
}
