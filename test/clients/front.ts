import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { call } from '../support/json-rpc';
import type { NodeName, Nodes, TestNode } from './nodes';

/**
 * One address for many nodes. Foreign suites have a fixed node address in their configuration, and each of their files needs an unused
 * node. `GET /next` puts a new node behind the address.
 */
export class Front {
  #node: TestNode | undefined;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly nodes: Nodes,
    private readonly name: NodeName,
    private readonly automine: boolean,
  ) {}

  /** @param port port to listen on; 0: any free port. @param automine false: nodes mine on request only */
  static async open(
    nodes: Nodes,
    name: NodeName,
    { port = 0, automine = true }: { port?: number; automine?: boolean } = {},
  ): Promise<Front> {
    const server = createServer();
    const front = new Front(server, nodes, name, automine);
    server.on('request', (incoming, answer) => {
      if (incoming.method === 'GET') {
        void front.next().then(
          () => answer.end('ok'),
          (error: unknown) => answer.writeHead(500).end(String(error)),
        );
        return;
      }
      const { url, headers } = front.#target(incoming);
      const outgoing = request(url, { method: 'POST', headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      incoming.pipe(outgoing);
    });
    server.on('upgrade', (incoming, socket: Socket, head: Buffer) => {
      const { url, headers } = front.#target(incoming);
      const lines = Object.entries(headers).map(([key, value]) => `${key}: ${String(value)}`);
      const other = connect(Number(url.port), url.hostname, () => {
        other.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
        other.write(head);
        socket.pipe(other).pipe(socket);
      });
      for (const one of [socket, other]) {
        front.#sockets.add(one);
        one.on('error', () => undefined);
        one.once('close', () => {
          front.#sockets.delete(one);
          (one === socket ? other : socket).destroy();
        });
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await front.next();
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async next(): Promise<void> {
    const old = this.#node;
    this.#node = await this.nodes.create(this.name);
    if (!this.automine) await call(this.#node.http, 'evm_setAutomine', false);
    for (const socket of this.#sockets) socket.destroy();
    await old?.stop();
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await this.#node?.stop();
  }

  #target(incoming: IncomingMessage): { url: URL; headers: IncomingMessage['headers'] } {
    const url = new URL(this.#node?.http ?? '');
    return { url, headers: { ...incoming.headers, host: url.host } };
  }
}
