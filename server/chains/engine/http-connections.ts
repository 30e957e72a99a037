import { Pool, type Dispatcher } from 'undici';
import type { AnswerReader } from '../../evm/forms/engine';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { connectBy } from '../../kernel/streams/connect-by';

/** Messages under way at a time: more than reads that `OrderedEngine` lets share their turn, so that none waits behind calls of others. */
const CONNECTIONS = 224;
const JSON_CONTENT = { 'content-type': 'application/json' };

/** Connections to an engine's HTTP port, which stay open. */
export class HttpConnections {
  readonly #pool: Pool;

  /** @param url `http://127.0.0.1:PORT` */
  constructor(url: string, connect: OpenConnection | undefined) {
    this.#pool = new Pool(url, {
      // Engines answer when they are done, however long that takes.
      connections: CONNECTIONS,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...connectBy(connect),
    });
  }

  send(body: string, reader: AnswerReader): void {
    const options = { path: '/', method: 'POST', headers: JSON_CONTENT, body } as const;
    this.#pool.dispatch(options, new HttpAnswer(reader));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

class HttpAnswer implements Dispatcher.DispatchHandler {
  constructor(private readonly reader: AnswerReader) {}

  /** undici requires it. */
  onRequestStart(): void {
    // nothing to prepare
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status === 200) this.reader.onStart(controller);
    else controller.abort(new Error(`it answers with HTTP status ${status}`));
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.reader.onPiece(piece);
  }

  onResponseEnd(): void {
    this.reader.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reader.onError(error);
  }
}
