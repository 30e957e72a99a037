import { WebSocket } from 'ws';
import { answerText, errorAnswer } from '../../evm/forms/rpc-message';
import { GOING_AWAY } from '../../forks/address/close-clients';
import {
  LAST_PART,
  linkMessage,
  type LinkReport,
  type Resumption,
} from '../../forks/address/link-messages';
import { messageText } from '../../forks/address/message-text';
import { changeLost, idIn } from './failures';

/** RFC 6455 §7.4.1 and the IANA registry of close codes. */
const ABNORMAL = 1006;
const SERVICE_RESTART = 1012;
/** Bytes that may be buffered for a reader before the writer is paused. */
const BUFFERED = 256 * 1024;
/** Length of a message that is kept until it is answered. */
const MAX_KEPT = 64 * 1024;

export interface SocketRelayOptions {
  /** Opens a WebSocket to the node that runs the fork by now. @throws ApiError if there is none in time */
  connect: () => Promise<WebSocket>;
  /** Whether a message has the same effect if it is executed twice. */
  isRepeatable: (text: string) => boolean;
}

/** A message of the client that is not answered. */
interface Unanswered {
  /** Undefined: it was too long to be kept. */
  text: string | undefined;
  isSent: boolean;
}

/**
 * Passes a WebSocket on to the node that runs the fork, each direction at the speed of its reader. When the fork runs on another node, its
 * subscriptions continue there, and reads that were not answered are repeated: the client stays connected.
 */
export class SocketRelay {
  #link: WebSocket | undefined;
  /** By number on the present link, from 1. */
  #unanswered = new Map<number, Unanswered>();
  #count = 0;
  readonly #subscriptions = new Map<string, Resumption>();
  /** Whether the client has received the beginning of a message and not its end. */
  #isInMessage = false;

  constructor(
    private readonly client: WebSocket,
    link: WebSocket,
    private readonly options: SocketRelayOptions,
  ) {
    client.on('message', (data) => {
      this.#pass(messageText(data));
    });
    client.on('pong', (data) => {
      this.#link?.pong(data, undefined, ignore);
    });
    client.on('error', () => {
      client.terminate();
    });
    client.on('close', () => this.#link?.close());
    this.#use(link);
  }

  #use(link: WebSocket): void {
    this.#link = link;
    link.on('message', (data, isBinary) => {
      if (isBinary) this.#note(JSON.parse(messageText(data)) as LinkReport);
      else this.#answer(link, data as Buffer);
    });
    link.on('ping', (data) => {
      if (this.client.readyState === WebSocket.OPEN) this.client.ping(data, undefined, ignore);
    });
    link.on('error', ignore);
    link.on('close', (code, reason) => {
      this.#link = undefined;
      void this.#ended(code, reason.toString());
    });
    // The client may have left while the link was opened.
    if (this.client.readyState !== WebSocket.OPEN) link.close();
  }

  #pass(text: string): void {
    const kept = text.length <= MAX_KEPT ? text : undefined;
    const link = this.#link;
    this.#unanswered.set(++this.#count, { text: kept, isSent: link !== undefined });
    if (link) this.#send(link, text);
    else if (kept === undefined) this.client.close(SERVICE_RESTART, MOVES);
  }

  #send(link: WebSocket, text: string): void {
    const { client } = this;
    link.send(text, () => {
      if (client.isPaused && link === this.#link) client.resume();
    });
    if (link.bufferedAmount > BUFFERED) client.pause();
  }

  /** Passes a part of a message on to the client. */
  #answer(link: WebSocket, data: Buffer): void {
    const { client } = this;
    if (client.readyState !== WebSocket.OPEN) return;
    const isLast = data[0] === LAST_PART.charCodeAt(0);
    this.#isInMessage = !isLast;
    client.send(data.subarray(1), { fin: isLast, binary: false }, () => {
      if (link.isPaused) link.resume();
    });
    if (client.bufferedAmount > BUFFERED) link.pause();
  }

  #note(report: LinkReport): void {
    if ('done' in report) this.#unanswered.delete(report.done);
    else if ('follows' in report) this.#subscriptions.set(report.follows.id, report.follows);
    else this.#subscriptions.delete(report.ended);
  }

  /** The link has closed. */
  async #ended(code: number, reason: string): Promise<void> {
    const { client } = this;
    if (client.readyState !== WebSocket.OPEN) return;
    if (this.#isInMessage) {
      client.terminate();
      return;
    }
    if (code !== GOING_AWAY && code !== ABNORMAL) {
      client.close(isSendable(code) ? code : GOING_AWAY, reason);
      return;
    }
    client.pause();
    try {
      this.#resume(await this.options.connect());
      client.resume();
    } catch {
      client.close(GOING_AWAY, reason || MOVES);
      // A paused client would never see the answer to its closing.
      client.resume();
    }
  }

  #resume(link: WebSocket): void {
    const earlier = [...this.#unanswered.values()];
    this.#unanswered = new Map();
    this.#count = 0;
    this.#use(link);
    for (const resume of this.#subscriptions.values()) link.send(linkMessage({ resume }));
    for (const { text, isSent } of earlier) {
      if (text === undefined) {
        this.client.close(SERVICE_RESTART, MOVES);
        return;
      }
      if (!isSent || this.options.isRepeatable(text)) this.#pass(text);
      else this.client.send(answerText(errorAnswer(idIn(Buffer.from(text)), changeLost())));
    }
  }
}

const MOVES = 'the fork moves to another node';

const ignore = (): void => undefined;

/** Codes that an endpoint may send: RFC 6455 §7.4. */
const isSendable = (code: number): boolean =>
  code >= 1000 && ![1004, 1005, 1006, 1015].includes(code);
