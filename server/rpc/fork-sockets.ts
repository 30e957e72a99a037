import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { OpenFork } from '../forks/forks';
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

/** Clients' WebSockets: the same rules as over HTTP, and subscriptions. */
export class ForkSockets {
  readonly #server: WebSocketServer;

  constructor(private readonly options: { maxBodyBytes: number; onInternal: OnInternal }) {
    this.#server = new WebSocketServer({ noServer: true, maxPayload: options.maxBodyBytes });
  }

  accept(fork: OpenFork, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#serve(fork, client);
    });
  }

  /** Resolves when all are closed; clients that do not answer are cut off. */
  async close(): Promise<void> {
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

  #serve(fork: OpenFork, client: WebSocket): void {
    const subscriptions = new ForkSubscriptions(fork, client);
    client.on('error', () => {
      client.terminate();
    });
    const leave = (): void => {
      client.close(GOING_AWAY, 'the fork was deleted');
    };
    fork.deleted.addEventListener('abort', leave);
    client.on('close', () => {
      fork.deleted.removeEventListener('abort', leave);
      subscriptions.close();
    });
    client.on('message', (data) => {
      void this.#answer(fork, client, subscriptions, data);
    });
  }

  async #answer(
    fork: OpenFork,
    client: WebSocket,
    subscriptions: ForkSubscriptions,
    data: RawData,
  ): Promise<void> {
    const { onInternal } = this.options;
    let message: unknown;
    try {
      message = parseJson(textOf(data));
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
