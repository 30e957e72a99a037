import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../api/errors';
import type { Engine } from '../ethereum/engine';
import { RpcError } from '../ethereum/json-rpc';
import type { OpenFork } from '../forks/forks';
import { CallLimit, tooManyCalls } from './call-limit';
import { closeSocket } from './close-socket';
import { hasEnded } from './engine-end';
import { EnginePipe } from './engine-pipe';
import { answerBatch, answerCall, isPlain, type OnInternal } from './fork-call';
import { ForkSockets } from './fork-sockets';
import { readBody } from './read-body';
import {
  errorAnswer,
  idOf,
  parseJson,
  parseRequest,
  RPC_CODES,
  type RpcAnswer,
} from './rpc-message';

export interface ForkProxyOptions {
  forks: { findBySecret(secret: string): OpenFork | undefined };
  /** Told of errors that only the log may show. */
  onInternal: OnInternal;
  maxBodyBytes?: number;
  /** JSON-RPC calls of a client address in a minute; undefined: no limit. */
  callsPerMinute?: number | undefined;
  /** Time between two pings of a WebSocket, milliseconds. */
  pingMs?: number | undefined;
}

const ADDRESS = /^\/rpc\/([0-9a-f]{32})\/?(?:\?.*)?$/;

/** Wallets and apps in a browser use a fork from any origin: its address is the credential. Nowhere else is CORS open. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const CORS = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*, authorization, content-type',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '86400',
};

const ANSWER = { ...ANY_ORIGIN, 'content-type': 'application/json' };

/** The forks' JSON-RPC addresses, `/rpc/<32 hex digits>`: HTTP with single and batch requests, and WebSocket. */
export class ForkProxy {
  readonly #options: ForkProxyOptions & { maxBodyBytes: number };
  readonly #limit: CallLimit;
  readonly #pipe = new EnginePipe();
  readonly #sockets: ForkSockets;

  constructor(options: ForkProxyOptions) {
    this.#options = { maxBodyBytes: 8 * 1024 * 1024, ...options };
    this.#limit = new CallLimit(options.callsPerMinute);
    this.#sockets = new ForkSockets({ ...this.#options, limit: this.#limit });
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 200, errorAnswer(null, error, this.#options.onInternal));
    });
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const fork = this.#find(request);
    if (fork) this.#sockets.accept(fork, request, socket, head);
    else
      closeSocket(
        socket,
        'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
  }

  /** Ends the clients' WebSockets, for which the HTTP server would wait, and then the connections to engines. */
  async close(): Promise<void> {
    await this.#sockets.close();
    await this.#pipe.close();
  }

  #find(request: IncomingMessage): OpenFork | undefined {
    const secret = ADDRESS.exec(request.url ?? '')?.[1];
    return secret === undefined ? undefined : this.#options.forks.findBySecret(secret);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return;
    }
    const fork = this.#find(request);
    if (!fork) {
      if (this.#isOverLimit(request, response, 1)) return;
      send(response, 404, failure(RPC_CODES.notFound, 'there is no fork at this address'));
      return;
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST, OPTIONS');
      send(response, 405, failure(RPC_CODES.invalidRequest, 'JSON-RPC takes POST, or a WebSocket'));
      return;
    }
    if (!isJson(request)) {
      response.setHeader('connection', 'close');
      send(response, 415, failure(RPC_CODES.invalidRequest, NOT_JSON));
      return;
    }
    const text = await this.#body(request, response);
    if (text === undefined) return;
    const message = this.#parse(text, response);
    if (message === undefined) return;
    const calls = Array.isArray(message) ? message.length : 1;
    if (this.#isOverLimit(request, response, calls)) return;
    if (Array.isArray(message)) {
      send(response, 200, await answerBatch(fork, message, this.#options.onInternal));
    } else if (plain(fork, message)) {
      await this.#pass(fork, message, text, response);
    } else {
      send(response, 200, await answerCall(fork, message, this.#options.onInternal));
    }
  }

  /** @returns undefined where it was answered: what is nested too deep is refused as every other body is, by the HTTP status as well */
  #parse(text: string, response: ServerResponse): unknown {
    try {
      return parseJson(text);
    } catch (error) {
      const isDeep = error instanceof RpcError && error.code === RPC_CODES.invalidRequest;
      send(response, isDeep ? 400 : 200, errorAnswer(null, error, this.#options.onInternal));
      return undefined;
    }
  }

  /** @returns whether it was refused */
  #isOverLimit(request: IncomingMessage, response: ServerResponse, calls: number): boolean {
    const seconds = this.#limit.take(request.socket.remoteAddress, calls);
    if (seconds === undefined) return false;
    response.setHeader('retry-after', seconds);
    if (!request.complete) response.setHeader('connection', 'close');
    send(response, 429, errorAnswer(null, tooManyCalls(this.#limit, seconds)));
    return true;
  }

  async #body(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    try {
      return await readBody(request, this.#options.maxBodyBytes);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'bodyTooLarge') throw error;
      // Where the rest of the body is not read, the connection cannot go on.
      if (!request.complete) response.setHeader('connection', 'close');
      send(response, 413, failure(RPC_CODES.limitExceeded, error.message));
      return undefined;
    }
  }

  /** To the engine and back without being rebuilt. */
  async #pass(
    fork: OpenFork,
    message: unknown,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const pass = (engine: Engine): Promise<void> =>
      engine.inTurn(parseRequest(message), (onAnswer) =>
        this.#pipe.pass({ origin: engine.url, body: text }, response, ANSWER, onAnswer),
      );
    try {
      const ended = await fork.use(async ({ process }) => {
        try {
          await pass(process);
          return false;
        } catch (error) {
          if (response.headersSent || !(await hasEnded(process))) throw error;
          return true;
        }
      });
      if (!ended) return;
      // It read, and nothing else: the engine that comes next can do it.
      await fork.use(({ process }) => pass(process));
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const known = error instanceof ApiError ? error : engineEnded(error);
      send(response, 200, errorAnswer(idOf(message), known, this.#options.onInternal));
    }
  }
}

const NOT_JSON =
  'the header Content-Type is missing or of another kind; accepted: application/json';

/** As anvil: a page of another origin cannot send this type without being asked first (CORS). */
const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/([^;]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');

const engineEnded = (cause: unknown): ApiError =>
  new ApiError('engineUnavailable', "the fork's engine ended; ask again", { cause });

/** Malformed and refused ones go the long way, which has the words for it. */
function plain(fork: OpenFork, message: unknown): boolean {
  try {
    const request = parseRequest(message);
    return request.id !== undefined && isPlain(fork, request);
  } catch {
    return false;
  }
}

const failure = (code: number, message: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
});

function send(
  response: ServerResponse,
  status: number,
  answer: RpcAnswer | RpcAnswer[] | undefined,
): void {
  if (answer === undefined) response.writeHead(204, ANY_ORIGIN).end();
  else {
    response.writeHead(status, ANSWER);
    response.end(JSON.stringify(answer));
  }
}
