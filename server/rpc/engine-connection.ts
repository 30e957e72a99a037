import type { Duplex } from 'node:stream';

/** Takes the answer to one request, in pieces. */
export interface AnswerReader {
  /** @param length of the answer in bytes; @param flow stops and resumes its pieces */
  begin(length: number, flow: AnswerFlow): void;
  piece(bytes: Buffer): void;
  end(): void;
  /** The engine did not answer, or not to the end. */
  fail(error: Error): void;
}

export interface AnswerFlow {
  pause(): void;
  resume(): void;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Engines send five headers. */
const MAX_HEAD = 16 * 1024;

/**
 * One connection to an engine: HTTP/1.1 (RFC 9112) with one request at a time, and of its answers what engines send: status 200 and a
 * `Content-Length`. Anything else ends the connection. It costs a fraction of a general HTTP client.
 */
export class EngineConnection implements AnswerFlow {
  #reader: AnswerReader | undefined;
  /** Beginning of an answer whose head is incomplete. */
  #head: Buffer | undefined;
  /** Bytes of the answer that are missing; undefined before its head. */
  #missing: number | undefined;

  /**
   * @param onAnswered told after each answer
   * @param onClosed told when it can take no more requests
   */
  constructor(
    private readonly socket: Duplex,
    private readonly onAnswered: (connection: EngineConnection) => void,
    onClosed: (connection: EngineConnection) => void,
  ) {
    let cause: Error | undefined;
    socket.on('data', (bytes: Buffer) => {
      this.#read(bytes);
    });
    socket.on('error', (error) => (cause = error));
    socket.once('close', () => {
      onClosed(this);
      this.#fail(cause ?? new Error('the engine closed the connection'));
    });
  }

  send(body: string, reader: AnswerReader): void {
    this.#reader = reader;
    const length = Buffer.byteLength(body);
    this.socket.write(
      `POST / HTTP/1.1\r\nhost: engine\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
    );
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  #read(bytes: Buffer): void {
    const reader = this.#reader;
    if (!reader) {
      this.socket.destroy();
      return;
    }
    const body = this.#missing === undefined ? this.#readHead(bytes, reader) : bytes;
    if (body === undefined || this.#missing === undefined) return;
    if (body.length > this.#missing) {
      this.#fail(new Error('the answer is longer than its Content-Length'));
      return;
    }
    this.#missing -= body.length;
    if (body.length > 0) reader.piece(body);
    if (this.#missing > 0) return;
    this.#missing = undefined;
    this.#reader = undefined;
    if (this.socket.isPaused()) this.socket.resume();
    this.onAnswered(this);
    reader.end();
  }

  /** @returns the bytes after the head; undefined where it is incomplete or not acceptable */
  #readHead(bytes: Buffer, reader: AnswerReader): Buffer | undefined {
    const all = this.#head ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = all.indexOf(END_OF_HEAD);
    if (end === -1) {
      this.#head = all;
      if (all.length > MAX_HEAD) this.#fail(new Error('the head of the answer is too long'));
      return undefined;
    }
    this.#head = undefined;
    const head = all.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d{1,15}) *(?:\r|$)/i.exec(head)?.[1];
    if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
      const [status = ''] = head.split('\r\n', 1);
      this.#fail(new Error(`unexpected answer: ${status}`));
      return undefined;
    }
    this.#missing = Number(length);
    reader.begin(this.#missing, this);
    return all.subarray(end + END_OF_HEAD.length);
  }

  #fail(error: Error): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.socket.destroy();
    reader?.fail(error);
  }
}
