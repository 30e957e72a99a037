import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { nodeHeaders } from './node-headers';

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
    isUpgrade = false,
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
      agent: isUpgrade ? false : this.#agents[isSecure ? 'https:' : 'http:'],
    });
    this.keep(nodeId, request);
    limitConnecting(request);
    return request;
  }

  /** Ends a request or a WebSocket when its node is dead. */
  keep(nodeId: string, one: Ending): void {
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
