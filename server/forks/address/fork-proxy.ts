import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError } from '../../evm/forms/json-rpc';
import { answerText, errorAnswer, parseJson, resultAnswer } from '../../evm/forms/rpc-message';
import { secretInUrl } from '../life/fork-addresses';
import type { OpenFork } from '../life/forks';
import {
  currentTrace,
  nameAnswer,
  runAs,
  type RequestTrace,
} from '../../kernel/requests/request-trace';
import { clientAddress } from '../../kernel/streams/client-address';
import { closeSocket } from '../../kernel/streams/close-socket';
import { receiveBody } from '../../kernel/streams/read-body';
import type { ReservedBytes } from './byte-budget';
import { CallLimit, tooManyCalls } from './call-limit';
import { ForkBudgets, type ByteLimits } from './fork-budgets';
import { resultNow, understoodCall, type OnInternal } from './fork-call';
import { ForkSockets } from './fork-sockets';
import { CORS, failure, send, sendShort } from './http-answers';
import { HttpCalls, type Client } from './http-calls';
import type { PassOn } from './watch-moves';

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
  /** Called for each call or batch that comes over a WebSocket. */
  onSocketCall?: () => void;
}

/** A request whose body is read. */
interface Received {
  request: IncomingMessage;
  response: ServerResponse;
  text: string;
  passOn: PassOn | undefined;
  trace: RequestTrace | undefined;
}

/** The forks' JSON-RPC addresses, `/rpc/<32 hex digits>`: HTTP with single and batch requests, and WebSocket. */
export class ForkProxy {
  readonly #options: ForkProxyOptions & { maxBodyBytes: number };
  readonly #limit: CallLimit;
  readonly #calls: HttpCalls;
  readonly #sockets: ForkSockets;
  readonly #budgets: ForkBudgets;
  /** Clients by secret, for each connection. */
  readonly #clients = new WeakMap<Socket, Map<string, Client>>();

  constructor(options: ForkProxyOptions) {
    this.#options = { maxBodyBytes: LIMITS.rpcBody, ...options };
    this.#calls = new HttpCalls(options.onInternal);
    this.#limit = new CallLimit(options.callsPerMinute);
    const budgets = (this.#budgets = new ForkBudgets(options.bytes ?? {}));
    this.#sockets = new ForkSockets({ ...this.#options, limit: this.#limit, budgets });
  }

  /**
   * Also sends `X-Request-Id`.
   * @param passOn is called with the body instead, if the fork runs elsewhere and nothing was done. Undefined: there is no other node
   */
  handle(request: IncomingMessage, response: ServerResponse, passOn?: PassOn): void {
    const client = request.method === 'POST' && isJson(request) ? this.#client(request) : undefined;
    const trace = currentTrace();
    if (!client) {
      this.#refuse(request, response, trace);
      return;
    }
    const held: ReservedBytes[] = [];
    const release = (): void => {
      for (const one of held) one.release();
    };
    const take = (bytes: number): void => {
      held.push(client.flow.bytes.take(bytes));
    };
    receiveBody(request, { limit: this.#options.maxBodyBytes, take }, (error, text) => {
      let later: Promise<void> | undefined;
      try {
        if (error) this.#refuseBody(request, response, error, trace);
        else later = this.#answer(client, { request, response, text, passOn, trace });
      } catch (thrown) {
        this.#fail(response, thrown, trace);
      }
      if (!later) release();
      else {
        void later
          .catch((thrown: unknown) => {
            this.#fail(response, thrown, trace);
          })
          .finally(release);
      }
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

  /** Closes the clients' WebSockets, for which the HTTP server would wait. */
  close(): Promise<void> {
    return this.#sockets.close();
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

  /** Answers a request that has no fork or is not a JSON body by POST. */
  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    trace: RequestTrace | undefined,
  ): void {
    nameAnswer(response, trace);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
    } else if (!this.#find(request)) {
      if (this.#isOverLimit(request, response, 1, trace)) return;
      send(response, 404, failure(RPC_CODES.notFound, 'there is no fork at this address'));
    } else if (request.method === 'POST') {
      response.setHeader('connection', 'close');
      send(response, 415, failure(RPC_CODES.invalidRequest, NOT_JSON));
    } else {
      response.setHeader('allow', 'POST, OPTIONS');
      send(
        response,
        405,
        failure(RPC_CODES.invalidRequest, 'JSON-RPC requires POST or a WebSocket'),
      );
    }
  }

  /** @returns undefined if the answer was sent. A fork's address takes many small requests: what is known needs no promise */
  #answer(
    client: Client,
    { request, response, text, passOn, trace }: Received,
  ): Promise<void> | undefined {
    const message = parseJson(text);
    const calls = Array.isArray(message) ? message.length : 1;
    if (this.#isOverLimit(request, response, calls, trace)) return undefined;
    const understood = understoodCall(message);
    const result = understood && resultNow(client.fork, understood);
    if (understood && result !== undefined) {
      sendShort(response, 200, answerText(resultAnswer(understood.request.id, result)), trace);
      return undefined;
    }
    const posted = { response, text, message, understood, passOn, trace };
    return runAs(trace, () => this.#calls.answer(client, posted));
  }

  /** @returns whether the request was refused */
  #isOverLimit(
    request: IncomingMessage,
    response: ServerResponse,
    calls: number,
    trace: RequestTrace | undefined,
  ): boolean {
    const seconds = this.#limit.take(clientAddress(request), calls);
    if (seconds === undefined) return false;
    nameAnswer(response, trace);
    response.setHeader('retry-after', seconds);
    if (!request.complete) response.setHeader('connection', 'close');
    send(response, 429, errorAnswer(null, tooManyCalls(this.#limit, seconds)));
    return true;
  }

  #refuseBody(
    request: IncomingMessage,
    response: ServerResponse,
    error: Error,
    trace: RequestTrace | undefined,
  ): void {
    const isTooLarge = error instanceof ApiError && error.kind === 'bodyTooLarge';
    if (!isTooLarge && !(error instanceof RpcError)) throw error;
    nameAnswer(response, trace);
    // A connection cannot be reused if the rest of the body is not read.
    if (!request.complete) response.setHeader('connection', 'close');
    if (!isTooLarge) response.setHeader('retry-after', 1);
    send(response, isTooLarge ? 413 : 429, failure(RPC_CODES.limitExceeded, error.message));
  }

  /** A body that is nested too deep is refused with an HTTP status, like other invalid bodies. */
  #fail(response: ServerResponse, error: unknown, trace: RequestTrace | undefined): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    nameAnswer(response, trace);
    const isDeep = error instanceof RpcError && error.code === RPC_CODES.invalidRequest;
    send(response, isDeep ? 400 : 200, errorAnswer(null, error, this.#options.onInternal));
  }
}

const secretIn = ({ url = '' }: IncomingMessage): string | undefined => secretInUrl(url);

const NOT_JSON =
  'the header Content-Type is missing or has another value; accepted: application/json';

/** The same rule as anvil's: a page of another origin cannot send this type without a CORS preflight. */
const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/([^;]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '');
