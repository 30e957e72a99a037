import type { AnswerReader } from '../../evm/forms/engine';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { HttpConnections } from './http-connections';
import { SocketConnections } from './socket-connections';
import { UnlessUnread } from './unread-message';

/** How an engine is reached. */
export interface EngineAddress {
  /** `http://127.0.0.1:PORT` */
  url: string;
  connect?: OpenConnection | undefined;
  /** Path of its Unix socket; undefined: it has none. */
  socket?: string | undefined;
}

/** The engine reads a message on its socket again from the beginning for each piece that arrives, so longer ones are sent over HTTP. */
const SHORT_MESSAGE = 64 * 1024;

/**
 * Calls of a batch that is sent over the socket, at most: of 40 transactions that one batch sent over it, the engine mined some in another
 * order.
 */
const SHORT_BATCH = 16;

/** Connections to one engine: over its Unix socket, which takes half the time of HTTP, or over HTTP. */
export class EngineConnections {
  readonly #http: HttpConnections;
  readonly #sockets: SocketConnections | undefined;

  constructor({ url, connect, socket }: EngineAddress) {
    this.#http = new HttpConnections(url, connect);
    this.#sockets = socket === undefined ? undefined : new SocketConnections(socket);
  }

  /**
   * Sends one JSON-RPC message, single or batch. Calls of a batch may be answered with an error of `isUnread`.
   * @param calls number of calls in the message
   */
  send(message: string, reader: AnswerReader, calls = 1): void {
    const overHttp = (): void => {
      this.#http.send(message, reader);
    };
    const isShort = message.length <= SHORT_MESSAGE && calls <= SHORT_BATCH;
    // Of a batch, other calls may have been executed.
    const socketReader = message.startsWith('[') ? reader : new UnlessUnread(reader, overHttp);
    if (!isShort || this.#sockets?.send(message, socketReader) !== true) overHttp();
  }

  /** Messages under way fail. */
  close(): Promise<void> {
    this.#sockets?.close();
    return this.#http.close();
  }
}
