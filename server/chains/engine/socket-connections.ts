import { connect, type Socket } from 'node:net';
import type { AnswerReader, PausableAnswer } from '../../evm/forms/engine';

const LINE_END = 0x0a;

/** Less than the connections that may wait until an engine accepts them (128): more would be refused. */
const CONNECTIONS = 64;

/**
 * Connections to an engine's Unix socket (`--ipc`), which stay open. Each has one message under way, so that the line that the engine
 * writes is its answer.
 */
export class SocketConnections {
  readonly #idle: SocketConnection[] = [];
  readonly #open = new Set<SocketConnection>();
  #isClosed = false;

  constructor(private readonly path: string) {}

  /** @returns false if all connections are in use, or closed: the message was not sent */
  send(message: string, reader: AnswerReader): boolean {
    const connection = this.#idle.pop() ?? this.#connect();
    connection?.send(message, reader);
    return connection !== undefined;
  }

  /** Messages under way fail. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) connection.close();
  }

  #connect(): SocketConnection | undefined {
    if (this.#isClosed || this.#open.size >= CONNECTIONS) return undefined;
    const connection = new SocketConnection(this.path, {
      onIdle: () => this.#idle.push(connection),
      onClosed: () => {
        this.#open.delete(connection);
        const place = this.#idle.indexOf(connection);
        if (place !== -1) this.#idle.splice(place, 1);
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
      reader.onStart(this.#pausable(reader));
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

  /** A reader may call it after its answer, when the connection has another one. */
  #pausable(reader: AnswerReader): PausableAnswer {
    return {
      pause: () => {
        if (this.#reader === reader) this.#socket.pause();
      },
      resume: () => {
        if (this.#reader === reader) this.#socket.resume();
      },
    };
  }
}

const ended = (): Error => new Error('the engine closed the connection');
