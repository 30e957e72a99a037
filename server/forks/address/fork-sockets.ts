import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { onAbort } from '../../kernel/async/on-abort';
import type { OpenFork } from '../life/forks';
import { LIMITS } from '../../api/limits';
import { currentTrace, runAs } from '../../kernel/requests/request-trace';
import { clientAddress, isPassedOn } from '../../kernel/streams/client-address';
import { answerBatch } from './answer-batch';
import { NO_BYTES } from './byte-budget';
import { tooManyCalls, type CallLimit } from './call-limit';
import { closeClients, GOING_AWAY } from './close-clients';
import { beginCall, type Caller, type OnInternal } from './fork-call';
import type { ForkBudgets } from './fork-budgets';
import { ForkSubscriptions } from './fork-subscriptions';
import type { LinkRequest } from './link-messages';
import { countIncomplete } from './incomplete-message';
import { messageText } from './message-text';
import { WebSocketSender } from './websocket-sender';
import {
  answerText,
  errorAnswer,
  idOf,
  parseJson,
  parseRequest,
  resultAnswer,
  type RpcRequest,
} from '../../evm/forms/rpc-message';

/** Messages of a client whose calls have not begun. At this number, no further messages are read. */
const MAX_WAITING = 8;

interface ForkSocketsOptions {
  maxBodyBytes: number;
  onInternal: OnInternal;
  limit: CallLimit;
  budgets: ForkBudgets;
  pingMs?: number | undefined;
  onSocketCall?: () => void;
}

/** WebSockets of clients: the same rules as over HTTP, and subscriptions. */
export class ForkSockets {
  readonly #server: WebSocketServer;
  /** Clients that sent something since the last ping. */
  #alive = new WeakSet<WebSocket>();
  readonly #pings: NodeJS.Timeout;

  constructor(private readonly options: ForkSocketsOptions) {
    const { maxBodyBytes, pingMs = LIMITS.silentWebSocket } = options;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
    this.#pings = setInterval(() => {
      this.#ping();
    }, pingMs).unref();
  }

  /** Open WebSockets. */
  get size(): number {
    return this.#server.clients.size;
  }

  accept(fork: OpenFork, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.#serve(fork, client, socket, request);
    });
  }

  /** Resolves when all WebSockets are closed. Clients that do not answer are disconnected. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    await closeClients(this.#server);
  }

  #ping(): void {
    const { clients } = this.#server;
    for (const client of clients) {
      // A paused client is not read until its calls have begun, so its pongs are not received.
      if (this.#alive.has(client) || client.isPaused) client.ping();
      else client.terminate();
    }
    this.#alive = new WeakSet();
  }

  #serve(fork: OpenFork, client: WebSocket, socket: Duplex, request: IncomingMessage): void {
    const { budgets, onInternal } = this.options;
    const address = clientAddress(request);
    const isLink = isPassedOn(request);
    const outgoing = new WebSocketSender(client, isLink);
    const subscriptions = new ForkSubscriptions(fork, client, outgoing);
    const flow = budgets.connect(fork);
    const served: Served = { fork, flow, onInternal, client, outgoing, subscriptions, address };
    client.on('error', () => {
      client.terminate();
    });
    const leave = (): void => {
      client.close(GOING_AWAY, String(fork.revoked.reason));
    };
    const complete = countIncomplete(socket, flow.bytes, () => {
      client.terminate();
    });
    const markAlive = (): void => void this.#alive.add(client);
    markAlive();
    const stop = onAbort(fork.revoked, leave);
    client.on('close', () => {
      stop();
      complete();
      subscriptions.close();
    });
    client.on('pong', markAlive);
    let waiting = 0;
    let received = 0;
    const trace = currentTrace();
    client.on('message', (data, isBinary) => {
      complete();
      markAlive();
      if (isLink && isBinary) {
        subscriptions.resume((JSON.parse(messageText(data)) as LinkRequest).resume);
        return;
      }
      this.options.onSocketCall?.();
      const done = ++received;
      // A client that does not read its answers is not read either.
      if (++waiting >= MAX_WAITING) client.pause();
      const onBegun = (): void => {
        if (--waiting < MAX_WAITING && client.isPaused) client.resume();
      };
      void runAs(trace, () => this.#answer(served, data, onBegun)).then(() => {
        outgoing.report({ done });
      });
    });
  }

  /** @param onBegun called once: when there is room for the answer to a call, or when a batch is answered */
  async #answer(served: Served, data: RawData, onBegun: () => void): Promise<void> {
    let isBegun = false;
    const isStarted = (): void => {
      if (!isBegun) onBegun();
      isBegun = true;
    };
    const { flow, outgoing, subscriptions, address, onInternal } = served;
    const { limit } = this.options;
    let message: unknown;
    let reserved = NO_BYTES;
    try {
      reserved = flow.bytes.take(lengthOf(data));
      message = parseJson(messageText(data));
      const wait = limit.take(address, Array.isArray(message) ? message.length : 1);
      if (wait !== undefined) throw tooManyCalls(limit, wait);
      const request = subscription(message);
      if (request) {
        await subscriptions.answer(request, async (result) => {
          await outgoing.send(answerText(resultAnswer(request.id ?? null, await result)));
        });
      } else if (Array.isArray(message)) {
        const answers = outgoing.message();
        await answerBatch(served, message, answers);
        await answers.end();
      } else {
        const { answer } = await beginCall(served, message);
        isStarted();
        const { text, reserved: sent } = await answer;
        if (text !== undefined) await outgoing.send(text);
        sent.release();
      }
    } catch (error) {
      await outgoing.send(answerText(errorAnswer(idOf(message), error, onInternal)));
    } finally {
      reserved.release();
      isStarted();
    }
  }
}

interface Served extends Caller {
  client: WebSocket;
  outgoing: WebSocketSender;
  subscriptions: ForkSubscriptions;
  address: string | undefined;
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

const lengthOf = (data: RawData): number =>
  Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength;
