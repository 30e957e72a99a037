import PQueue from 'p-queue';
import { WebSocket } from 'ws';
import type { AnswerSink } from './answer-batch';
import { piecesOf } from './write-text';

/** Bytes that may wait for a client before more is sent. */
const BUFFERED = 256 * 1024;

/** What goes to the client of a WebSocket: one message after the other, as fast as it takes them. */
export class OutgoingMessages {
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(private readonly client: WebSocket) {}

  /** The client is gone. */
  get isGone(): boolean {
    return this.client.readyState !== WebSocket.OPEN;
  }

  /** Resolves when more may follow, or the client is gone. */
  send(text: string): Promise<void> {
    return this.#queue.add(() => this.fragments(text, true));
  }

  /** A message whose text comes bit by bit. */
  message(): OutgoingMessage {
    return new OutgoingMessage(this);
  }

  /** Waits until the others are sent. @returns what lets the next one begin */
  begin(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.#queue.add(() => new Promise<void>(resolve));
    });
  }

  /** Sends a part of the message that has begun. @param isLast ends it */
  async fragments(text: string, isLast: boolean): Promise<void> {
    let left = text.length;
    if (left === 0) await this.#send('', isLast);
    for (const piece of piecesOf(text)) {
      left -= piece.length;
      await this.#send(piece, isLast && left === 0);
    }
  }

  #send(data: string, fin: boolean): Promise<void> {
    const { client } = this;
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

/** Goes out in fragments (RFC 6455 §5.4) once it is large: until its end no other message can follow. */
class OutgoingMessage implements AnswerSink {
  #text = '';
  #end: (() => void) | undefined;

  constructor(private readonly outgoing: OutgoingMessages) {}

  get isGone(): boolean {
    return this.outgoing.isGone;
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= BUFFERED) await this.#flush(false);
  }

  /** Sends the rest; nothing where nothing was written. */
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
