import PQueue from 'p-queue';
import { WebSocket } from 'ws';
import type { AnswerSink } from './answer-batch';
import { LAST_PART, linkMessage, OTHER_PART, type LinkReport } from './link-messages';
import { piecesOf } from '../../kernel/streams/write-text';

/** Bytes that may be buffered for a client before sending waits. */
const BUFFERED = 256 * 1024;

/**
 * Sends messages to the client of a WebSocket, one after the other at the speed of the client. A client that stops reading is disconnected
 * elsewhere (`disconnectSlowClients`).
 */
export class WebSocketSender {
  readonly #queue = new PQueue({ concurrency: 1 });

  /** @param isLink the client is another node, which passes the messages on */
  constructor(
    private readonly client: WebSocket,
    private readonly isLink = false,
  ) {}

  /** Tells the node that passes the messages on about its client. Any other client gets nothing. */
  report(report: LinkReport): void {
    if (this.isLink && !this.isGone) this.client.send(linkMessage(report));
  }

  /** The client has disconnected. */
  get isGone(): boolean {
    return this.client.readyState !== WebSocket.OPEN;
  }

  /** Resolves when more can be sent, or when the client has disconnected. */
  send(text: string): Promise<void> {
    return this.#queue.add(() => this.fragments(text, true));
  }

  /** A message whose text is written in pieces. */
  message(): WebSocketMessage {
    return new WebSocketMessage(this);
  }

  /** Waits until earlier messages are sent. @returns call it to let the next message begin */
  begin(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#queue.add(() => new Promise<void>(resolve));
    });
  }

  /** Sends a part of the current message. @param isLast ends the message */
  async fragments(text: string, isLast: boolean): Promise<void> {
    let left = text.length;
    if (left === 0) await this.#send('', isLast);
    for (const piece of piecesOf(text)) {
      left -= piece.length;
      await this.#send(piece, isLast && left === 0);
    }
  }

  #send(text: string, isLast: boolean): Promise<void> {
    const { client } = this;
    // A node passes each part on as soon as it has it, which is not possible with fragments.
    const data = this.isLink ? (isLast ? LAST_PART : OTHER_PART) + text : text;
    const fin = this.isLink || isLast;
    return new Promise((resolve) => {
      if (this.isGone) {
        resolve();
        return;
      }
      client.once('close', resolve);
      const done = (): void => {
        client.off('close', resolve);
        resolve();
      };
      client.send(data, { fin }, done);
      if (client.bufferedAmount < BUFFERED) done();
    });
  }
}

/** A large message is sent in fragments (RFC 6455 §5.4). No other message can be sent before its end. */
class WebSocketMessage implements AnswerSink {
  #text = '';
  #end: (() => void) | undefined;

  constructor(private readonly outgoing: WebSocketSender) {}

  get isGone(): boolean {
    return this.outgoing.isGone;
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= BUFFERED) await this.#flush(false);
  }

  /** Sends the rest. Sends nothing if nothing was written. */
  async end(): Promise<void> {
    if (this.#text !== '' || this.#end) await this.#flush(true);
    this.#end?.();
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#end ??= await this.outgoing.begin();
    const text = this.#text;
    this.#text = '';
    await this.outgoing.fragments(text, isLast);
  }
}
