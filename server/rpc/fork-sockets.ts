import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { OpenFork } from '../forks/forks';
import { tooManyCalls, type CallLimit } from './call-limit';
import { answerBatch, answerCall, type OnInternal } from './fork-call';
import { ForkSubscriptions } from './fork-subscriptions';
import {
  errorAnswer,
  idOf,
  parseJson,
  parseRequest,
  resultAnswer,
  type RpcRequest,
} from './rpc-message';

/** RFC 6455 §7.4.1: going away. */
const GOING_AWAY = 1001;
const GRACE_MS = 1_000;
/** A client that sent nothing, not even a pong, between two pings is gone. */
const PING_MS = 30_000;

interface ForkSocketsOptions {
  maxBodyBytes: number;
  onInternal: OnInternal;
  limit: CallLimit;
  pingMs?: number | undefined;
}

/** Clients' WebSockets: the same rules as over HTTP, and subscriptions. */
export class ForkSockets {
  readonly #server: WebSocketServer;
  /** Since the last ping. */
  #heard = new WeakSet<WebSocket>();
  readonly #pings: NodeJS.Timeout;

  constructor(private readonly options: ForkSocketsOptions) {
    const { maxBodyBytes, pingMs = PING_MS } = options;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
    this.#pings = setInterval(() => {
      this.#ping();
    }, pingMs).unref();
  }

  accept(fork: OpenFork, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { remoteAddress } = request.socket;
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#serve(fork, client, remoteAddress);
    });
  }

  /** Resolves when all are closed; clients that do not answer are cut off. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    const clients = [...this.#server.clients];
    const closed = clients.map((client) => once(client, 'close'));
    for (const client of clients) client.close(GOING_AWAY, 'the service stops');
    const deadline = setTimeout(() => {
      for (const client of clients) client.terminate();
    }, GRACE_MS);
    await Promise.all(closed);
    clearTimeout(deadline);
    this.#server.close();
  }

  #ping(): void {
    const { clients } = this.#server;
    for (const client of clients) {
      if (this.#heard.has(client)) client.ping();
      else client.terminate();
    }
    this.#heard = new WeakSet();
  }

  #serve(fork: OpenFork, client: WebSocket, address: string | undefined): void {
    const subscriptions = new ForkSubscriptions(fork, client);
    client.on('error', () => {
      client.terminate();
    });
    const leave = (): void => {
      const why = fork.deleted.aborted ? 'the fork was deleted' : 'the address was renewed';
      client.close(GOING_AWAY, why);
    };
    const hear = (): void => void this.#heard.add(client);
    hear();
    fork.revoked.addEventListener('abort', leave);
    client.on('close', () => {
      fork.revoked.removeEventListener('abort', leave);
      subscriptions.close();
    });
    client.on('pong', hear);
    client.on('message', (data) => {
      hear();
      void this.#answer(fork, client, subscriptions, data, address);
    });
  }

  async #answer(
    fork: OpenFork,
    client: WebSocket,
    subscriptions: ForkSubscriptions,
    data: RawData,
    address: string | undefined,
  ): Promise<void> {
    const { onInternal, limit } = this.options;
    let message: unknown;
    try {
      message = parseJson(textOf(data));
      const wait = limit.take(address, Array.isArray(message) ? message.length : 1);
      if (wait !== undefined) throw tooManyCalls(limit, wait);
      const request = subscription(message);
      if (request) {
        await subscriptions.answer(request, async (result) => {
          client.send(JSON.stringify(resultAnswer(request.id ?? null, await result)));
        });
        return;
      }
    } catch (error) {
      client.send(JSON.stringify(errorAnswer(idOf(message), error, onInternal)));
      return;
    }
    const answer = Array.isArray(message)
      ? await answerBatch(fork, message, onInternal)
      : await answerCall(fork, message, onInternal);
    if (answer !== undefined) client.send(JSON.stringify(answer));
  }
}

function subscription(message: unknown): RpcRequest | undefined {
  const method =
    typeof message === 'object' && message !== null
      ? (message as { method?: unknown }).method
      : undefined;
  return method === 'eth_subscribe' || method === 'eth_unsubscribe'
    ? parseRequest(message)
    : undefined;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as ArrayBuffer).toString('utf8');
}
