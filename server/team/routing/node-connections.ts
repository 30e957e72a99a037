import type { IncomingMessage } from 'node:http';
import { buildConnector, Pool, type Dispatcher } from 'undici';
import { WebSocket } from 'ws';
import { clientAddress } from '../../kernel/streams/client-address';
import { nodeHeaders, passedHeaders } from './node-headers';

/** Where a request goes. */
export interface Target {
  nodeId: string;
  /** Base URL. */
  url: string;
}

/** Time limit for a connection, in milliseconds: the nodes are near each other. */
const CONNECT_MS = 3_000;
/** Time limit for the beginning of a WebSocket, in milliseconds: the other node asks the database. */
const HANDSHAKE_MS = 10_000;

/** A request to another node. */
interface NodeRequest {
  method: string;
  path: string;
  /** Names and values, alternating. */
  headers: string[];
  body: Buffer | AsyncIterable<Buffer> | string;
}

/** Connections to another node. */
interface Link {
  url: string;
  /** Path of the node's URL, without a slash at its end. */
  base: string;
  hostname: string;
  pool: Pool;
}

/** The node was found dead: its leases have expired. */
export class NodeDead extends Error {
  override readonly name = 'NodeDead';
}

/** Connections to other nodes, which stay open between requests. A request to a node that is found dead fails at once. */
export class NodeConnections {
  readonly #links = new Map<string, Link>();
  /** WebSockets by node. */
  readonly #sockets = new Map<string, Set<WebSocket>>();

  constructor(private readonly secret: string) {}

  /**
   * Sends a request. It has no time limit besides the one for its connection.
   * @param handler gets the answer, and errors of the connection
   * @param client address of the client
   */
  dispatch(
    target: Target,
    { method, path, headers, body }: NodeRequest,
    handler: Dispatcher.DispatchHandler,
    client?: string,
  ): void {
    const { pool, base, hostname } = this.#linkTo(target);
    headers.push(...nodeHeaders(this.secret, target.nodeId, client));
    // One name for all: undici connects again when the name changes.
    const content = { headers, body, servername: hostname };
    const options = { method, path: base + path, ...content };
    // The types of undici lack the bodies that it iterates.
    pool.dispatch(options as Dispatcher.DispatchOptions, handler);
  }

  #linkTo({ nodeId, url }: Target): Link {
    const known = this.#links.get(nodeId);
    if (known?.url === url) return known;
    if (known) this.#end(known, new Error('the node has another address'));
    const { origin, hostname, pathname } = new URL(url);
    const pool = new Pool(origin, {
      connect: connectToOrigin,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const link = { url, pool, hostname, base: pathname.replace(/\/$/, '') };
    this.#links.set(nodeId, link);
    return link;
  }

  #end({ pool }: Link, reason: Error): void {
    pool.destroy(reason).catch(() => undefined);
  }

  /** Opens a WebSocket as a client has. It answers no pings by itself. */
  openSocket({ nodeId, url }: Target, request: IncomingMessage): WebSocket {
    const headers: Record<string, string[]> = {};
    const own = nodeHeaders(this.secret, nodeId, clientAddress(request));
    const all = [...passedHeaders(request.rawHeaders), ...own];
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
    const open = this.#sockets.get(nodeId) ?? new Set();
    this.#sockets.set(nodeId, open.add(socket));
    socket.on('close', () => open.delete(socket));
    return socket;
  }

  /** Ends the requests and the WebSockets to a node that is dead. */
  abandon(nodeId: string): void {
    const link = this.#links.get(nodeId);
    this.#links.delete(nodeId);
    if (link) this.#end(link, new NodeDead('the node is dead'));
    const sockets = this.#sockets.get(nodeId) ?? [];
    this.#sockets.delete(nodeId);
    for (const socket of sockets) socket.terminate();
  }

  close(): void {
    for (const nodeId of [...this.#links.keys(), ...this.#sockets.keys()]) this.abandon(nodeId);
  }
}

const connector = buildConnector({ timeout: CONNECT_MS });

/** Over TLS, the name is that of the node's URL, not the one in the header Host of the client. */
const connectToOrigin: buildConnector.connector = (options, callback) => {
  connector({ ...options, servername: '' }, callback);
};
