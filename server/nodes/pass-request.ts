import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress } from '../streams/client-address';
import type { NodeConnections, Target } from './node-connections';
import { ELSEWHERE, passedHeaders } from './node-headers';
import type { RequestBody } from './request-body';

/**
 * How an attempt to pass a request on ended:
 * - `answered`: the client got the answer, or is gone
 * - `elsewhere`: the node refused it, and has done nothing
 * - `unreachable`: the node got nothing
 * - `lost`: the node got it, and did not answer; nobody knows whether it was executed
 */
export type Outcome = 'answered' | 'elsewhere' | 'unreachable' | 'lost';

/** Passes a request on to another node, and its answer back, as bytes, each at the speed of the reader. */
export function passRequest(
  connections: NodeConnections,
  target: Target,
  {
    request,
    response,
    body,
  }: { request: IncomingMessage; response: ServerResponse; body: RequestBody },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { method = 'GET', url = '/', rawHeaders } = request;
    const headers = [...passedHeaders(rawHeaders, 'content-length'), ...body.framing];
    const passed = connections.open(target, { method, path: url, headers }, clientAddress(request));
    const gone = (): void => void passed.destroy();
    const end = (outcome: Outcome): void => {
      response.off('close', gone);
      resolve(outcome);
    };
    response.on('close', gone);
    let isSent = false;
    passed.on('error', () => {
      if (response.headersSent) response.destroy();
      if (response.destroyed) end('answered');
      else end(isSent ? 'lost' : 'unreachable');
    });
    passed.on('response', (answer) => {
      if (answer.headers[ELSEWHERE] !== undefined) {
        answer.resume();
        end('elsewhere');
        return;
      }
      sendAnswer(answer, response, end);
    });
    whenConnected(passed, () => {
      isSent = true;
      body.sendTo(passed);
    });
  });
}

/** A body that is still with the client is not read before there is a connection. */
function whenConnected(passed: ClientRequest, send: () => void): void {
  passed.on('socket', (socket) => {
    if (!socket.connecting) send();
    else socket.once('secureConnect' in socket ? 'secureConnect' : 'connect', send);
  });
}

function sendAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  end: (outcome: Outcome) => void,
): void {
  response.writeHead(answer.statusCode ?? 502, passedHeaders(answer.rawHeaders));
  // The head of a stream of events is sent before its first event.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  answer.pipe(response);
  answer.on('error', () => response.destroy());
  answer.on('close', () => {
    if (!answer.complete) response.destroy();
  });
  response.on('close', () => {
    end('answered');
  });
}
