import type { ServerResponse } from 'node:http';
import { Agent, type Dispatcher } from 'undici';

/** Where a request goes, as it was received. */
export interface PipedRequest {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  body: string;
}

/**
 * The way to the engines for what nobody has to look at: the bytes of a request go there, and those of the answer come back, over
 * connections that stay open. Nothing is rebuilt: traces can be large, and most requests are small and many.
 */
export class EnginePipe {
  readonly #agent = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });

  /**
   * @param headers of the answer to the client
   * @param onAnswer is called when the engine's answer begins
   * @returns when the engine has answered, also where the client has gone away. Rejects where the engine does not answer; nothing is sent
   * then, unless `response.headersSent`.
   */
  pass(
    { origin, body }: PipedRequest,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    onAnswer: () => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const options = { origin, path: '/', method: 'POST', headers: JSON_CONTENT, body } as const;
      this.#agent.dispatch(options, new Passage(response, headers, { onAnswer, resolve, reject }));
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const JSON_CONTENT = { 'content-type': 'application/json' };

class Passage implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  /** What comes for a client that is gone is read all the same: the engine goes on, and its turn ends with the answer. */
  readonly #resume = (): void => {
    this.#controller?.resume();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly ends: {
      readonly onAnswer: () => void;
      readonly resolve: () => void;
      readonly reject: (error: Error) => void;
    },
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.response.on('drain', this.#resume).on('close', this.#resume);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.ends.onAnswer();
    if (this.response.destroyed) return;
    const { 'content-length': length } = headers;
    this.response.writeHead(
      200,
      typeof length === 'string' ? { ...this.headers, 'content-length': length } : this.headers,
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.response.destroyed && !this.response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#settle();
    this.response.end();
    this.ends.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle();
    if (this.response.destroyed) this.ends.resolve();
    else this.ends.reject(error);
  }

  #settle(): void {
    this.response.off('drain', this.#resume).off('close', this.#resume);
  }
}
