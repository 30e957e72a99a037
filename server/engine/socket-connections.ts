import { connect, type Socket } from 'node:net';
import type { AnswerReader } from '../ethereum/engine';

const LINE_END = 0x0a;

/**
 * Connections to an engine's Unix socket (`--ipc`), which stay open. Each has one message under way, so that the line that the engine
 * writes is its answer.
 */
export class SocketConnections {
  readonly #idle: SocketConnection[] = [];
  readonly #waiting: { message: string; reader: AnswerReader }[] = [];
  readonly #open = new Set<SocketConnection>();
  #isClosed = false;

  /** @param limit maximum number of messages under way; others wait */
  constructor(
    private readonly path: string,
    private readonly limit: number,
  ) {}

  send(message: string, reader: AnswerReader): void {
    const connection = this.#idle.pop() ?? this.#connect();
    if (connection) connection.send(message, reader);
    else if (this.#isClosed) reader.onError(ended());
    else this.#waiting.push({ message, reader });
  }

  /** Messages under way fail. */
  close(): void {
    this.#isClosed = true;
    for (const { reader } of this.#waiting.splice(0)) reader.onError(ended());
    for (const connection of this.#open) connection.close();
  }

  #connect(): SocketConnection | undefined {
    if (this.#isClosed || this.#open.size >= this.limit) return undefined;
    const connection = new SocketConnection(this.path, {
      onIdle: () => {
        const next = this.#waiting.shift();
        if (next) connection.send(next.message, next.reader);
        else this.#idle.push(connection);
      },
      onClosed: () => {
        this.#open.delete(connection);
        const place = this.#idle.indexOf(connection);
        if (place !== -1) this.#idle.splice(place, 1);
        const next = this.#waiting.shift();
        if (next) this.send(next.message, next.reader);
      },
    });
    this.#open.add(connection);
    return connection;
  }
}

class SocketConnection {
  readonly #socket: Socket;
  /** Of the message under way. */
  #reader: AnswerReader | undefined;
  #hasStarted = false;

  constructor(
    path: string,
    private readonly events: { onIdle: () => void; onClosed: () => void },
  ) {
    let reason: Error | undefined;
    this.#socket = connect(path)
      .on('data', (piece) => {
        this.#read(piece);
      })
      .on('error', (error) => (reason = error))
      .on('close', () => {
        const reader = this.#reader;
        this.#reader = undefined;
        this.events.onClosed();
        reader?.onError(reason ?? ended());
      });
  }

  send(message: string, reader: AnswerReader): void {
    this.#reader = reader;
    this.#hasStarted = false;
    this.#socket.write(message);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(piece: Buffer): void {
    const reader = this.#reader;
    if (!reader) {
      this.close(); // an answer without a question
      return;
    }
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      reader.onStart(this.#socket);
    }
    // The engine writes compact JSON, which contains no line end.
    const isLast = piece[piece.length - 1] === LINE_END;
    if (!isLast) {
      reader.onPiece(piece);
      return;
    }
    if (piece.length > 1) reader.onPiece(piece.subarray(0, -1));
    this.#reader = undefined;
    this.#socket.resume();
    this.events.onIdle();
    reader.onEnd();
  }
}

const ended = (): Error => new Error('the engine closed the connection');
