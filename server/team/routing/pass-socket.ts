import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIMITS } from '../../api/limits';
import { closeClients } from '../../forks/address/close-clients';
import { closeSocket } from '../../kernel/streams/close-socket';
import { ELSEWHERE } from './node-headers';
import type { NodeConnections, Target } from './node-connections';
import { SocketRelay, type SocketRelayOptions } from './socket-relay';

/**
 * How an attempt to open a WebSocket to another node ended:
 * - `open`: it is there
 * - `refused`: the node serves no WebSocket at this address; `head` is its answer
 * - `elsewhere`: the node does not run the fork
 * - `unreachable`: the node got nothing
 */
export type Opening =
  | { kind: 'open'; link: WebSocket }
  | { kind: 'refused'; head: string }
  | { kind: 'elsewhere' | 'unreachable' };

/** Opens the WebSocket of a client to another node. */
export function openLink(
  connections: NodeConnections,
  target: Target,
  request: IncomingMessage,
): Promise<Opening> {
  return new Promise((resolve) => {
    const link = connections.openSocket(target, request);
    link.on('open', () => {
      resolve({ kind: 'open', link });
    });
    link.on('error', () => {
      resolve({ kind: 'unreachable' });
    });
    link.on('unexpected-response', (_sent, answer) => {
      answer.resume();
      const { statusCode = 502, statusMessage = '' } = answer;
      if (answer.headers[ELSEWHERE] !== undefined) resolve({ kind: 'elsewhere' });
      else resolve({ kind: 'refused', head: `HTTP/1.1 ${statusCode} ${statusMessage}\r\n` });
      link.terminate();
    });
  });
}

/** The WebSockets of clients that this node passes on. */
export class PassedSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LIMITS.rpcBody });

  pass(
    { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
    link: WebSocket,
    options: SocketRelayOptions,
  ): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      new SocketRelay(client, link, options);
    });
  }

  /** Answers a client as the fork's node has. */
  refuse(socket: Duplex, head: string): void {
    closeSocket(socket, `${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
  }

  /** Resolves when all are closed. */
  close(): Promise<void> {
    return closeClients(this.#server);
  }
}
