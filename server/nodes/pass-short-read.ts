import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendShort } from '../fork-rpc/http-answers';
import { mayBeShortRead } from '../fork-rpc/short-reads';
import { currentTrace, runAs } from '../requests/request-trace';
import { clientAddress } from '../streams/client-address';
import { receiveBody } from '../streams/read-body';
import type { NodeConnections, Target } from './node-connections';

/** Longest request, in bytes. */
const MAX_BYTES = 16 * 1024;

/**
 * Has another node execute a request that is a short read, and answers it. Without promises: a node passes on many small requests.
 * @param secret of the fork's address
 * @param onRefused called with the body, if the request has to be passed on in the usual way: nothing was changed or answered
 * @returns false: the request is none, and its body is not read
 */
export function passShortRead(
  connections: Pick<NodeConnections, 'call'>,
  target: Target,
  {
    request,
    response,
    secret,
  }: { request: IncomingMessage; response: ServerResponse; secret: string },
  onRefused: (body: string) => void,
): boolean {
  if (!isShort(request)) return false;
  const trace = currentTrace();
  const client = clientAddress(request);
  receiveBody(request, BOUND, (error, text) => {
    if (error) {
      response.destroy(); // the client has disconnected
      return;
    }
    const refuse = (): void => {
      runAs(trace, () => {
        onRefused(text);
      });
    };
    const isSent =
      mayBeShortRead(text) &&
      connections.call(target, { secret, text, client, trace }, (answer) => {
        if (answer === undefined) refuse();
        else if (!response.destroyed) sendShort(response, 200, answer, trace);
      });
    if (!isSent) refuse();
  });
  return true;
}

const BOUND = { limit: MAX_BYTES };

const isShort = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  headers['content-type'] === 'application/json' &&
  Number(headers['content-length']) <= MAX_BYTES;
