import type { WebSocket } from 'ws';
import { messageText } from '../fork-rpc/message-text';

/** What is sent at a time: facts, and a text or none. */
export type Framed<Facts> = readonly [facts: Facts, text: string | undefined];

/**
 * Sends texts on a WebSocket: those of one turn of the event loop together, because each write costs more than a text. A frame is a line of
 * JSON, a list with the facts and the length of each text, and after it the texts as they are: nothing in a text can change its frame.
 */
export class FrameWriter<Facts> {
  #heads: (readonly [Facts, number])[] = [];
  #texts = '';

  constructor(private readonly socket: WebSocket) {}

  add(facts: Facts, text: string | undefined): void {
    const length = text?.length ?? NO_TEXT;
    if (this.#heads.push([facts, length]) === 1) setImmediate(this.#flush);
    if (text !== undefined) this.#texts += text;
  }

  readonly #flush = (): void => {
    const frame = `${JSON.stringify(this.#heads)}\n${this.#texts}`;
    this.#heads = [];
    this.#texts = '';
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(frame);
  };
}

const NO_TEXT = -1;

/** Receives what the other side has sent. A frame that cannot be read ends the WebSocket. */
export function onFrames<Facts>(socket: WebSocket, receive: (framed: Framed<Facts>) => void): void {
  socket.on('message', (data) => {
    let all: Framed<Facts>[];
    try {
      all = readFrame<Facts>(messageText(data));
    } catch {
      socket.terminate();
      return;
    }
    for (const one of all) receive(one);
  });
}

function readFrame<Facts>(frame: string): Framed<Facts>[] {
  const end = frame.indexOf('\n');
  const heads = JSON.parse(frame.slice(0, end)) as (readonly [Facts, number])[];
  let at = end + 1;
  return heads.map(([facts, length]) => {
    if (length === NO_TEXT) return [facts, undefined];
    const text = frame.slice(at, (at += length));
    return [facts, text];
  });
}
