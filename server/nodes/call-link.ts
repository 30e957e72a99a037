import type { WebSocket } from 'ws';
import type { ShortRead } from '../fork-rpc/short-reads';
import type { RequestTrace } from '../requests/request-trace';
import { FrameWriter, onFrames } from './call-frames';

/** A call that one node has another one execute. */
export interface LinkedCall extends ShortRead {
  trace: RequestTrace | undefined;
}

/** What is sent of a call besides its text; `number` comes back with the answer. */
export type CallFacts = readonly [
  number: number,
  secret: string,
  client: string | null,
  trace: RequestTrace | null,
];

/** Path of the WebSocket for calls. */
export const CALLS_PATH = '/internal/calls';

/** Calls under way at a time; others go over HTTP. */
const MAX_CALLS = 256;
/** Interval of pings, in milliseconds. A node that has not answered one by the next counts as gone. */
const PING_MS = 5_000;
/** Time after which a node that serves no such WebSocket is asked again, in milliseconds. */
const RETRY_MS = 10_000;

/** @param text the answer; undefined if the node executes the call over HTTP only, or has gone */
export type OnAnswer = (text: string | undefined) => void;

/**
 * Has another node execute short reads, over one WebSocket for all clients. Over HTTP, each would cost both nodes several times as much.
 * Nothing here is the only way: what is not answered is sent again over HTTP.
 */
export class CallLink {
  #socket: WebSocket | undefined;
  #writer: FrameWriter<CallFacts> | undefined;
  readonly #waiting = new Map<number, OnAnswer>();
  #count = 0;
  #retryAt = -Infinity;

  /** @param open opens the WebSocket */
  constructor(
    private readonly open: () => WebSocket,
    private readonly pingMs = PING_MS,
  ) {}

  /**
   * @param onAnswer called once, and later, if the call is sent
   * @returns false: there is no WebSocket yet, or no room; nothing is sent
   */
  call({ secret, text, client, trace }: LinkedCall, onAnswer: OnAnswer): boolean {
    const writer = this.#writer;
    if (!writer) {
      this.#connect();
      return false;
    }
    if (this.#waiting.size >= MAX_CALLS) return false;
    const number = (this.#count = (this.#count + 1) % Number.MAX_SAFE_INTEGER);
    this.#waiting.set(number, onAnswer);
    writer.add([number, secret, client ?? null, trace ?? null], text);
    return true;
  }

  close(): void {
    this.#retryAt = Infinity;
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.#socket || performance.now() < this.#retryAt) return;
    const socket = (this.#socket = this.open());
    socket.on('open', () => {
      this.#writer = new FrameWriter(socket);
      endWhenSilent(socket, this.pingMs);
    });
    onFrames<number>(socket, ([number, text]) => {
      const onAnswer = this.#waiting.get(number);
      this.#waiting.delete(number);
      onAnswer?.(text);
    });
    socket.on('error', () => {
      this.#retryAt = Math.max(this.#retryAt, performance.now() + RETRY_MS);
      socket.terminate();
    });
    socket.on('close', () => {
      this.#socket = this.#writer = undefined;
      const lost = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const onAnswer of lost) onAnswer(undefined);
    });
  }
}

/** A network that drops everything without a word would keep the calls waiting. */
function endWhenSilent(socket: WebSocket, pingMs: number): void {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const pings = setInterval(() => {
    if (isAlive) socket.ping();
    else socket.terminate();
    isAlive = false;
  }, pingMs).unref();
  socket.on('close', () => {
    clearInterval(pings);
  });
}
