import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { WebSocket } from 'ws';
import { clientAddress } from '../streams/client-address';
import { nodeHeaders, passedHeaders } from './node-headers';

/** Where a request goes. */
export interface Target {
  nodeId: string;
  /** Base URL. */
  url: string;
}

interface Ending {
  on(event: 'close', listener: () => void): unknown;
  destroy(error: Error): unknown;
}

/** Time limit for a connection, in milliseconds: the nodes are near each other. */
const CONNECT_MS = 3_000;
/** Time limit for the beginning of a WebSocket, in milliseconds: the other node asks the database. */
const HANDSHAKE_MS = 10_000;

/** Connections to other nodes, which stay open between requests. A request to a node that is found dead fails at once. */
export class NodeConnections {
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };
  /** Requests and WebSockets under way, by node. */
  readonly #open = new Map<string, Set<Ending>>();

  constructor(private readonly secret: string) {}

  /**
   * Begins a request. It has no time limit besides the one for its connection.
   * @param headers names and values, alternating
   * @param client address of the client
   */
  open(
    { nodeId, url }: Target,
    { method, path, headers }: { method: string; path: string; headers: readonly string[] },
    client?: string,
  ): ClientRequest {
    const { protocol, hostname, port, pathname } = new URL(url);
    const isSecure = protocol === 'https:';
    const request = (isSecure ? https : http).request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: pathname.replace(/\/$/, '') + path,
      // Node accepts such a list, which keeps repeated headers apart.
      headers: [...headers, ...nodeHeaders(this.secret, nodeId, client)] as never,
      agent: this.#agents[isSecure ? 'https:' : 'http:'],
    });
    this.#keep(nodeId, request);
    limitConnecting(request);
    return request;
  }

  /** Opens a WebSocket as a client has. It answers no pings by itself. */
  openSocket({ nodeId, url }: Target, request: IncomingMessage): WebSocket {
    const passed = passedHeaders(request.rawHeaders);
    const headers: Record<string, string[]> = {};
    const all = [...passed, ...nodeHeaders(this.secret, nodeId, clientAddress(request))];
    for (let index = 0; index < all.length; index += 2) {
      const [name = '', value = ''] = all.slice(index, index + 2);
      // The WebSocket between the nodes is another one.
      if (!name.toLowerCase().startsWith('sec-websocket-')) (headers[name] ??= []).push(value);
    }
    const base = url.replace(/^http/, 'ws').replace(/\/$/, '');
    const socket = new WebSocket(base + (request.url ?? '/'), {
      headers: headers as never, // Node accepts lists of values
      handshakeTimeout: HANDSHAKE_MS,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: 0,
    });
    this.#keep(nodeId, {
      on: socket.on.bind(socket),
      destroy: () => {
        socket.terminate();
      },
    });
    return socket;
  }

  /** Ends a request or a WebSocket when its node is dead. */
  #keep(nodeId: string, one: Ending): void {
    const open = this.#open.get(nodeId) ?? new Set();
    this.#open.set(nodeId, open.add(one));
    one.on('close', () => open.delete(one));
  }

  /** Ends the requests to a node that is dead. */
  abandon(nodeId: string): void {
    for (const one of this.#open.get(nodeId) ?? []) one.destroy(new Error('the node is dead'));
  }

  close(): void {
    for (const nodeId of this.#open.keys()) this.abandon(nodeId);
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function limitConnecting(request: ClientRequest): void {
  request.on('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    }, CONNECT_MS);
    const stop = (): void => {
      clearTimeout(timer);
    };
    socket.once('connect', stop).once('close', stop);
  });
}
