import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, engineEnded } from '../api/errors';
import type { Engine } from '../ethereum/engine';
import { RpcError } from '../ethereum/json-rpc';
import { secretInUrl } from '../forks/fork-addresses';
import type { OpenFork } from '../forks/forks';
import { LIMITS } from '../api/limits';
import { RPC_CODES } from '../api/rpc-codes';
import type { ReservedBytes } from './byte-budget';
import { CallLimit, tooManyCalls } from './call-limit';
import { clientAddress } from '../streams/client-address';
import { closeSocket } from '../streams/close-socket';
import { hasEnded, requireMemory } from './engine-end';
import { EnginePipe } from './engine-pipe';
import { ForkBudgets, type ByteLimits, type CallFlow } from './fork-budgets';
import {
  beginCall,
  plainCall,
  resultNow,
  understoodCall,
  type OnInternal,
  type PlainCall,
} from './fork-call';
import { ForkSockets } from './fork-sockets';
import { ANSWER, CORS, failure, send, sendBatch, sendShort, sendText } from './http-answers';
import { readBody } from '../streams/read-body';
import { withRetryAfter } from './retry-after';
import { watchMoves, type PassOn } from './watch-moves';
import { answerText, errorAnswer, idOf, parseJson, resultAnswer } from '../ethereum/rpc-message';

export interface ForkProxyOptions {
  forks: { findBySecret(secret: string): OpenFork | undefined };
  /** Receives errors that only the log may show. */
  onInternal: OnInternal;
  maxBodyBytes?: number;
  /** JSON-RPC calls per minute of a client address; undefined: no limit. */
  callsPerMinute?: number | undefined;
  /** Interval between pings of a WebSocket, milliseconds. */
  pingMs?: number | undefined;
  /** Limits for bytes under way. */
  bytes?: ByteLimits | undefined;
}

/** A connection to a fork. */
interface Client {
  fork: OpenFork;
  flow: CallFlow;
}

/** A request whose body is read. */
interface Posted {
  request: IncomingMessage;
  response: ServerResponse;
  text: string;
  passOn: PassOn | undefined;
}

/** The forks' JSON-RPC addresses, `/rpc/<32 hex digits>`: HTTP with single and batch requests, and WebSocket. */
export class ForkProxy {
  readonly #options: ForkProxyOptions & { maxBodyBytes: number };
  readonly #limit: CallLimit;
  readonly #pipe = new EnginePipe();
  readonly #sockets: ForkSockets;
  readonly #budgets: ForkBudgets;
  /** Clients by secret, for each connection. */
  readonly #clients = new WeakMap<Socket, Map<string, Client>>();

  constructor(options: ForkProxyOptions) {
    this.#options = { maxBodyBytes: LIMITS.rpcBody, ...options };
    this.#limit = new CallLimit(options.callsPerMinute);
    const budgets = (this.#budgets = new ForkBudgets(options.bytes ?? {}));
    this.#sockets = new ForkSockets({ ...this.#options, limit: this.#limit, budgets });
  }

  /** @param passOn is called with the body instead, if the fork runs elsewhere and nothing was done. Undefined: there is no other node */
  handle(request: IncomingMessage, response: ServerResponse, passOn?: PassOn): void {
    this.#handle(request, response, passOn).catch((error: unknown) => {
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

  /** Open WebSockets of clients. */
  get webSockets(): number {
    return this.#sockets.size;
  }

  /** Closes the clients' WebSockets, for which the HTTP server would wait, and then the connections to engines. */
  async close(): Promise<void> {
    await this.#sockets.close();
    await this.#pipe.close();
  }

  #find(request: IncomingMessage): OpenFork | undefined {
    const secret = secretIn(request);
    return secret === undefined ? undefined : this.#options.forks.findBySecret(secret);
  }

  /** The fork and budget of a connection. They are kept, because most connections send many requests to one fork. */
  #client(request: IncomingMessage): Client | undefined {
    const { socket } = request;
    const secret = secretIn(request);
    if (secret === undefined) return undefined;
    let clients = this.#clients.get(socket);
    if (!clients) this.#clients.set(socket, (clients = new Map<string, Client>()));
    const known = clients.get(secret);
    if (known && !known.fork.revoked.aborted) return known;
    clients.delete(secret);
    const fork = this.#options.forks.findBySecret(secret);
    if (!fork) return undefined;
    const client = { fork, flow: this.#budgets.connect(fork) };
    clients.set(secret, client);
    return client;
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    passOn: PassOn | undefined,
  ): Promise<void> {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return;
    }
    const client = this.#client(request);
    if (!client) {
      if (this.#isOverLimit(request, response, 1)) return;
      send(response, 404, failure(RPC_CODES.notFound, 'there is no fork at this address'));
      return;
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST, OPTIONS');
      send(
        response,
        405,
        failure(RPC_CODES.invalidRequest, 'JSON-RPC requires POST or a WebSocket'),
      );
      return;
    }
    if (!isJson(request)) {
      response.setHeader('connection', 'close');
      send(response, 415, failure(RPC_CODES.invalidRequest, NOT_JSON));
      return;
    }
    const body: ReservedBytes[] = [];
    try {
      const text = await this.#body(request, response, (bytes) => {
        body.push(client.flow.bytes.take(bytes));
      });
      if (text !== undefined) await this.#answer(client, { request, response, text, passOn });
    } finally {
      for (const reserved of body) reserved.release();
    }
  }

  async #answer(
    { fork, flow }: Client,
    { request, response, text, passOn }: Posted,
  ): Promise<void> {
    const message = this.#parse(text, response);
    if (message === undefined) return;
    const calls = Array.isArray(message) ? message.length : 1;
    if (this.#isOverLimit(request, response, calls)) return;
    const understood = understoodCall(message);
    const result = understood && resultNow(fork, understood);
    if (understood && result !== undefined) {
      sendShort(response, 200, answerText(resultAnswer(understood.request.id, result)));
      return;
    }
    const { onInternal } = this.#options;
    const watched = passOn ? watchMoves(fork) : undefined;
    const caller = { fork: withRetryAfter(watched?.fork ?? fork, response), flow, onInternal };
    const isPassedOn = (): boolean => {
      if (!passOn || watched?.hasMoved() !== true) return false;
      response.removeHeader('retry-after');
      passOn(text);
      return true;
    };
    if (Array.isArray(message)) {
      // The calls of a batch are answered one by one, so it is passed on whole or not at all.
      if (watched) await caller.fork.use(nothing).catch(nothing);
      if (!isPassedOn()) await sendBatch(caller, message, response);
      return;
    }
    const plain = understood && plainCall(fork, understood);
    if (plain) {
      await flow.turns.run(false, () =>
        this.#pass(caller.fork, plain, { message, text, isPassedOn }, response),
      );
    } else {
      const { text: answer, reserved } = await (await beginCall(caller, message)).answer;
      if (isPassedOn()) reserved.release();
      else await sendText(response, 200, answer).finally(reserved.release);
    }
  }

  /** @returns undefined if an error was sent: a body that is nested too deep is refused with an HTTP status, like other invalid bodies */
  #parse(text: string, response: ServerResponse): unknown {
    try {
      return parseJson(text);
    } catch (error) {
      const isDeep = error instanceof RpcError && error.code === RPC_CODES.invalidRequest;
      send(response, isDeep ? 400 : 200, errorAnswer(null, error, this.#options.onInternal));
      return undefined;
    }
  }

  /** @returns whether the request was refused */
  #isOverLimit(request: IncomingMessage, response: ServerResponse, calls: number): boolean {
    const seconds = this.#limit.take(clientAddress(request), calls);
    if (seconds === undefined) return false;
    response.setHeader('retry-after', seconds);
    if (!request.complete) response.setHeader('connection', 'close');
    send(response, 429, errorAnswer(null, tooManyCalls(this.#limit, seconds)));
    return true;
  }

  async #body(
    request: IncomingMessage,
    response: ServerResponse,
    take: (bytes: number) => void,
  ): Promise<string | undefined> {
    try {
      return await readBody(request, this.#options.maxBodyBytes, take);
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.kind === 'bodyTooLarge';
      if (!isTooLarge && !(error instanceof RpcError)) throw error;
      // A connection cannot be reused if the rest of the body is not read.
      if (!request.complete) response.setHeader('connection', 'close');
      if (!isTooLarge) response.setHeader('retry-after', 1);
      send(response, isTooLarge ? 413 : 429, failure(RPC_CODES.limitExceeded, error.message));
      return undefined;
    }
  }

  /** Passes a request to the engine and its answer back without parsing, unless the answer is kept. */
  async #pass(
    fork: OpenFork,
    { call, check }: PlainCall,
    { message, text, isPassedOn }: { message: unknown; text: string; isPassedOn: () => boolean },
    response: ServerResponse,
  ): Promise<void> {
    const pass = async (engine: Engine): Promise<void> => {
      const kept = engine.kept(call);
      if (kept !== undefined) {
        sendShort(response, 200, answerText(resultAnswer(idOf(message), kept)));
        return;
      }
      await engine.inTurn(call, (onAnswer, keep) =>
        this.#pipe.pass(engine, text, response, ANSWER, onAnswer, keep),
      );
    };
    try {
      const ended = await fork.use(async (awake) => {
        const { process } = awake;
        try {
          await check?.(awake);
          await pass(process);
          return false;
        } catch (error) {
          if (error instanceof RpcError || isUnreachable(error)) throw error;
          if (response.headersSent || !(await hasEnded(process))) throw error;
          await requireMemory(process);
          return true;
        }
      });
      if (!ended) return;
      // The call only reads, so the next engine can repeat it.
      await fork.use(({ process }) => pass(process));
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      if (isPassedOn()) return;
      const isKnown = error instanceof ApiError || error instanceof RpcError;
      const known = isKnown ? error : engineEnded({ cause: error });
      send(response, 200, errorAnswer(idOf(message), known, this.#options.onInternal));
    }
  }
}

const nothing = (): Promise<void> => Promise.resolve();

const secretIn = ({ url = '' }: IncomingMessage): string | undefined => secretInUrl(url);

const NOT_JSON =
  'the header Content-Type is missing or has another value; accepted: application/json';

const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'upstreamUnreachable';

/** The same rule as anvil's: a page of another origin cannot send this type without a CORS preflight. */
const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/([^;]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');
