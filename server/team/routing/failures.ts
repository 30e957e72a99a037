import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '../../api/envelope';
import { ApiError } from '../../api/errors';
import { answerText, errorAnswer, idOf, parseJson, type RpcId } from '../../evm/forms/rpc-message';
import { closeSocket } from '../../kernel/streams/close-socket';
import { ELSEWHERE } from './node-headers';

/** The error of a change whose node has ended. */
export const changeLost = (): ApiError =>
  new ApiError(
    'engineUnavailable',
    'the node that runs the fork ended before it answered; check whether the change was made, then try again',
  );

const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError('internal', 'the service failed; its log has the details', { cause: error });

/**
 * Answers a request that no node could serve: over JSON-RPC with status 200, as a fork does, so that no client repeats it by itself.
 * @param body of the request, if it was read
 */
export function answerFailure(
  { url = '', complete }: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  body?: Buffer,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const known = asApiError(error);
  const { code, status, message, retryAfter } = known;
  const isRpc = url.startsWith('/rpc/');
  const text = isRpc
    ? answerText(errorAnswer(idIn(body), known))
    : JSON.stringify(failure(code, message));
  response.writeHead(isRpc ? 200 : status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...(isRpc ? { 'Access-Control-Allow-Origin': '*' } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
    ...(complete ? {} : { Connection: 'close' }),
  });
  response.end(text);
}

/** The id that the answer to a body has. */
export function idIn(body: Buffer | undefined): RpcId {
  try {
    return idOf(parseJson(body?.toString() ?? ''));
  } catch {
    return null;
  }
}

/** Tells another node that the fork is elsewhere, and that nothing was done. */
export function refuseElsewhere(response: ServerResponse): void {
  response.writeHead(503, { [ELSEWHERE]: '1', 'Content-Length': 0, Connection: 'close' }).end();
}

export function refuseSocket(socket: Duplex): void {
  closeSocket(socket, head(503, `${ELSEWHERE}: 1`));
}

export function closeWithFailure(socket: Duplex, error: unknown): void {
  const { status, retryAfter } = asApiError(error);
  closeSocket(
    socket,
    head(status, ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`])),
  );
}

const head = (status: number, ...headers: readonly string[]): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Length: 0',
    ...headers,
    '\r\n',
  ].join('\r\n');
