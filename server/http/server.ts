import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { failure } from '../api/envelope';
import { ApiError, shown } from '../api/errors';
import { LIMITS } from '../api/limits';
import { nameAnswer, runAs, traceOf, type RequestTrace } from '../kernel/requests/request-trace';
import { closeSocket } from '../kernel/streams/close-socket';
import { disconnectSlowClients } from './disconnect-slow-clients';
import { allowPassingOn } from './pass-on';
import type { TrustedProxies } from './trusted-proxies';

/** Serves the forks' JSON-RPC addresses: all paths below `/rpc/`. These paths are secret and must not be logged. */
export interface RpcProxy {
  /** @param passOn is called with the body of a request instead, if the fork runs elsewhere and nothing was done */
  handle(request: IncomingMessage, response: ServerResponse, passOn?: (body: string) => void): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Serves a request, or calls `passOn` with its body if the fork runs elsewhere and nothing was done. */
type Serve = (passOn?: (body: string) => void) => void;

/** Passes requests on to the node that serves them, or calls `serve` if it is this one. */
export interface Router {
  /** Whether another node has passed the request on. */
  isFromNode(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse, serve: Serve): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, serve: () => void): void;
}

interface Exchange {
  method: string | undefined;
  url: string | undefined;
  /** Undefined: the client left before the answer was sent. */
  status: number | undefined;
  seconds: number;
}

export interface ServerDependencies {
  app: RequestListener;
  /** Undefined: this service has no other nodes. */
  router?: Router | undefined;
  rpcProxy: RpcProxy;
  /** Certificate chain and private key, as PEM. Undefined: plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Undefined: no proxy is trusted. */
  proxies?: TrustedProxies;
  /** Whether the Host header names this service. */
  isOurHost: (request: IncomingMessage) => boolean;
  /** Maximum number of simultaneous connections; further ones are closed immediately. */
  maxConnections?: number;
  /** Time in which a client must read some of the data that waits for it. */
  readerSeconds?: number | undefined;
  /** Receives what each request came to. */
  onExchange?: (exchange: Exchange) => void;
  /** Reports refused connections and faults of the listening socket. */
  log?: { warn(facts: object, message: string): void };
  timeouts?: Partial<typeof TIMEOUTS>;
}

/** Milliseconds. */
const TIMEOUTS = {
  /** From the start of a request or connection to the end of the headers. */
  headersTimeout: LIMITS.headersTime,
  /** To the end of the body. */
  requestTimeout: LIMITS.requestTime,
  /** Between two requests. */
  keepAliveTimeout: LIMITS.idleConnection,
  /** Interval of the checks. */
  connectionsCheckingInterval: 1_000,
};

/** Time after which the system probes a silent connection, to detect clients that vanished. */
const KEEP_ALIVE_PROBE_MS = 30_000;
/** Refused connections are logged once per this interval. */
const REFUSALS_SHOWN_MS = 10_000;

const isRpc = (request: IncomingMessage): boolean => request.url?.startsWith('/rpc/') === true;
const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket';

/**
 * The HTTP server. Fork RPC bypasses Express, which would more than halve its requests per second. Requests that no handler receives
 * (malformed HTTP, a wrong Host) are answered here, with an envelope.
 */
export function createHttpServer(dependencies: ServerDependencies): Server {
  const { app, rpcProxy, router } = dependencies;
  // The node that a request is from has checked its Host.
  const isOurHost = (request: IncomingMessage): boolean =>
    router?.isFromNode(request) === true || dependencies.isOurHost(request);
  const options = {
    ...TIMEOUTS,
    ...dependencies.timeouts,
    requireHostHeader: false,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  };
  const { onExchange, proxies } = dependencies;
  const read = (request: IncomingMessage): RequestTrace => {
    const { host, protocol } = proxies?.read(request) ?? {};
    const trace = traceOf(request.headers);
    const scheme = protocol ?? (dependencies.tls ? 'https' : 'http');
    return host === undefined ? trace : { ...trace, base: `${scheme}://${host}` };
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (onExchange) observe(request, response, onExchange);
    const serve: Serve = (passOn) => {
      if (isRpc(request)) rpcProxy.handle(request, response, passOn);
      else {
        if (passOn) allowPassingOn(request, passOn);
        app(request, response);
      }
    };
    if (!isOurHost(request)) sendError(response, foreignHost(request));
    else if (router) router.handle(request, response, serve);
    else serve();
  };
  const { tls } = dependencies;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const trace = read(request);
    // Answers of forks name their requests themselves: a header that is set before the others would cost them much of their speed.
    if (!isRpc(request)) nameAnswer(response, trace);
    runAs(trace, () => {
      handle(request, response);
    });
  };
  const server: Server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: options.headersTimeout }, listener)
    : createServer(options, listener);
  const serveSocket = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (isRpc(request)) rpcProxy.handleUpgrade(request, socket, head);
    else endSocket(socket, new ApiError('routeNotFound', 'no WebSocket is served at this path'));
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (!isOurHost(request)) endSocket(socket, foreignHost(request));
    else if (!isWebSocket(request)) serveWithoutUpgrade(server, request, socket, head);
    else if (router && (isRpc(request) || router.isFromNode(request))) {
      router.handleUpgrade(request, socket, head, () => {
        serveSocket(request, socket, head);
      });
    } else serveSocket(request, socket, head);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    runAs(read(request), () => {
      upgrade(request, socket, head);
    });
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
  disconnectSlowClients(server, readerSeconds, (count) => {
    log?.warn(
      { count, readerSeconds },
      'clients were disconnected: they read nothing for too long',
    );
  });
  return server;
}

function observe(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  onExchange: (exchange: Exchange) => void,
): void {
  const start = performance.now();
  response.on('close', () => {
    const status = response.writableFinished ? response.statusCode : undefined;
    onExchange({ method, url, status, seconds: (performance.now() - start) / 1000 });
  });
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
    }, REFUSALS_SHOWN_MS).unref();
  });
  server.on('listening', () => {
    server.on('error', (error) => log?.warn({ err: error }, 'a connection could not be accepted'));
  });
}

/**
 * A server may ignore an upgrade that it does not support (RFC 9110 §7.8). It must do so for clients that ask for HTTP/2 with every first
 * request, such as Java's. Node 20 passes such a request on unread: this function returns it to its socket without the upgrade headers.
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
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}

const foreignHost = (request: IncomingMessage): ApiError =>
  new ApiError(
    'invalidHost',
    `the header Host is ${shown(request.headers.host)}; accepted: the address of this service, ` +
      'or a name given with --allowed-hosts',
  );

function sendError(response: ServerResponse, error: ApiError): void {
  nameAnswer(response);
  response.writeHead(error.status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(failure(error.code, error.message)));
}

/** Sends an answer on a socket without a response object, and closes it. */
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
