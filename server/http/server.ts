import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '../api/envelope';
import { ApiError, shown } from '../api/errors';
import { LIMITS } from '../limits';
import { closeSocket } from '../rpc/close-socket';
import { cutOffSlowReaders } from './slow-readers';

/** Serves the forks' JSON-RPC addresses, all paths below `/rpc/`. Those paths are secret: they are not for logs. */
export interface RpcProxy {
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface ServerDependencies {
  app: RequestListener;
  rpcProxy: RpcProxy;
  /** Whether the Host header is one of ours. */
  isOurHost: (request: IncomingMessage) => boolean;
  /** Connections at a time; further ones are closed at once. */
  maxConnections?: number;
  /** In which a client must take some of what waits for it. */
  readerSeconds?: number | undefined;
  /** Told of connections that were refused, and of a socket that cannot listen any more. */
  log?: { warn(facts: object, message: string): void };
  timeouts?: Partial<typeof TIMEOUTS>;
}

/** Milliseconds. */
const TIMEOUTS = {
  /** From the start of a request, or of a connection, to the end of the headers. */
  headersTimeout: LIMITS.headersTime,
  /** To the end of the body. */
  requestTimeout: LIMITS.requestTime,
  /** Between two requests. */
  keepAliveTimeout: LIMITS.idleConnection,
  /** How often they are looked at. */
  connectionsCheckingInterval: 1_000,
};

/** Until a client that vanished is noticed by the system. */
const KEEP_ALIVE_PROBE_MS = 30_000;
/** Refused connections are told of once in this time. */
const REFUSALS_TOLD_MS = 10_000;

const isRpc = (request: IncomingMessage): boolean => request.url?.startsWith('/rpc/') === true;
const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket';

/**
 * The HTTP server: fork RPC goes past Express, which would cost it more than half of its requests per second;
 * what no handler can see (malformed HTTP, a foreign Host) is refused here, in the envelope.
 */
export function createHttpServer(dependencies: ServerDependencies): Server {
  const { app, rpcProxy, isOurHost } = dependencies;
  const options = {
    ...TIMEOUTS,
    ...dependencies.timeouts,
    requireHostHeader: false,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  };
  const server = createServer(options, (request, response) => {
    if (!isOurHost(request)) sendError(response, foreignHost(request));
    else if (isRpc(request)) rpcProxy.handle(request, response);
    else app(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOurHost(request)) endSocket(socket, foreignHost(request));
    else if (!isWebSocket(request)) serveWithoutUpgrade(server, request, socket, head);
    else if (isRpc(request)) rpcProxy.handleUpgrade(request, socket, head);
    else endSocket(socket, new ApiError('routeNotFound', 'no WebSocket is served at this path'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const message = isLate
      ? 'the request did not arrive in time'
      : 'the request is not well-formed HTTP/1.1';
    endSocket(socket, new ApiError('invalidField', message));
  });
  boundConnections(server, dependencies);
  const { readerSeconds = LIMITS.slowReader, log } = dependencies;
  cutOffSlowReaders(server, readerSeconds, (count) => {
    log?.warn({ count, readerSeconds }, 'clients were cut off: they took nothing for too long');
  });
  return server;
}

function boundConnections(server: Server, { maxConnections, log }: ServerDependencies): void {
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  let refused = 0;
  let timer: NodeJS.Timeout | undefined;
  server.on('drop', () => {
    refused++;
    timer ??= setTimeout(() => {
      log?.warn({ refused, maxConnections }, 'connections were refused: there are too many');
      refused = 0;
      timer = undefined;
    }, REFUSALS_TOLD_MS).unref();
  });
  server.on('listening', () => {
    server.on('error', (error) => log?.warn({ err: error }, 'a connection could not be accepted'));
  });
}

/**
 * A server may ignore an upgrade that it does not offer (RFC 9110 §7.8), and must where clients ask for HTTP/2 with every
 * first request, as Java's do. Node 20 hands such a request over unread: it goes back into its socket without the wish.
 */
function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!/^(connection|upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  const start = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(Buffer.concat([start, head]));
  server.emit('connection', socket);
}

const foreignHost = (request: IncomingMessage): ApiError =>
  new ApiError(
    'invalidHost',
    `the header Host is ${shown(request.headers.host)}; accepted: the address of this service, ` +
      'or a name given with --allowed-hosts',
  );

function sendError(response: ServerResponse, error: ApiError): void {
  response.writeHead(error.status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(failure(error.code, error.message)));
}

/** Answers on a socket that has no response object (yet, or any more), and closes it. */
function endSocket(socket: Duplex, error: ApiError): void {
  const body = JSON.stringify(failure(error.code, error.message));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  closeSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}
