import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { OpenFork } from '../forks/forks';
import { EngineSubscriptions } from './engine-subscriptions';
import { answerBatch, answerCall, type OnInternal } from './fork-call';
import { errorAnswer, idOf, parseJson, parseRequest, type RpcRequest } from './rpc-message';

/** RFC 6455 §7.4.1: going away. */
const GOING_AWAY = 1001;

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

  close(): void {
    for (const client of this.#server.clients) client.close(GOING_AWAY, 'the service stops');
    this.#server.close();
  }

  #serve(fork: OpenFork, client: WebSocket): void {
    const subscriptions = new EngineSubscriptions(fork, client);
    client.on('error', () => {
      client.terminate();
    });
    client.on('close', () => {
      subscriptions.close();
    });
    client.on('message', (data) => {
      void this.#answer(fork, client, subscriptions, data);
    });
  }

  async #answer(
    fork: OpenFork,
    client: WebSocket,
    subscriptions: EngineSubscriptions,
    data: RawData,
  ): Promise<void> {
    const { onInternal } = this.options;
    let message: unknown;
    try {
      message = parseJson(textOf(data));
      const request = subscription(message);
      if (request) {
        await subscriptions.forward(request);
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
