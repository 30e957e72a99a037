import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientAddress } from '../streams/client-address';
import { closeSocket } from '../streams/close-socket';
import type { NodeConnections, Target } from './node-connections';
import { ELSEWHERE, passedHeaders } from './node-headers';
import type { Outcome } from './pass-request';

/** Passes a WebSocket on to another node: the bytes of both directions, each at the speed of its reader. */
export function passSocket(
  connections: NodeConnections,
  target: Target,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): Promise<Exclude<Outcome, 'lost'>> {
  return new Promise((resolve) => {
    const { url = '/', rawHeaders } = request;
    const headers = [
      ...passedHeaders(rawHeaders),
      ...['connection', 'Upgrade', 'upgrade', 'websocket'],
    ];
    const passed = connections.open(
      target,
      { method: 'GET', path: url, headers },
      clientAddress(request),
      true,
    );
    const gone = (): void => void passed.destroy();
    socket.on('close', gone);
    const end = (outcome: Exclude<Outcome, 'lost'>): void => {
      socket.off('close', gone);
      resolve(outcome);
    };
    passed.on('error', () => {
      end(socket.destroyed ? 'answered' : 'unreachable');
    });
    // No WebSocket: the fork is elsewhere, or there is none.
    passed.on('response', (answer) => {
      answer.resume();
      if (answer.headers[ELSEWHERE] !== undefined) {
        end('elsewhere');
        return;
      }
      closeSocket(socket, `${headOf(answer)}Connection: close\r\nContent-Length: 0\r\n\r\n`);
      end('answered');
    });
    passed.on('upgrade', (answer, other, first) => {
      socket.write(`${headOf(answer)}${linesOf(answer.rawHeaders)}\r\n`);
      socket.write(first);
      other.write(head);
      connections.keep(target.nodeId, other);
      join(socket, other);
      end('answered');
    });
    passed.end();
  });
}

const headOf = ({ statusCode = 502, statusMessage = '' }: IncomingMessage): string =>
  `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;

function linesOf(rawHeaders: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines += `${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return lines;
}

function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
