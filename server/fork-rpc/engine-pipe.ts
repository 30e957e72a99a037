import type { ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import type { Engine } from '../ethereum/engine';
import { LIMITS } from '../api/limits';
import { connectBy } from '../streams/connect-by';
import { Spool, type SpoolSpace } from '../streams/spool';

/**
 * Passes requests to engines and answers to clients as bytes, over connections that stay open. Nothing is parsed: traces can be large, and
 * most requests are small and many.
 */
export class EnginePipe {
  readonly #pools = new Map<Engine, Pool>();
  readonly #space: SpoolSpace = { limit: LIMITS.spool, used: 0 };

  /**
   * @param body the request, as it was received
   * @param headers headers of the answer to the client
   * @param onAnswer called when the engine's answer begins
   * @param keep receives the result of a short answer
   * @returns when the engine has answered, even if the client reads slowly or has disconnected. Rejects if the engine does not answer;
   * nothing is sent then, unless `response.headersSent`.
   */
  pass(
    engine: Engine,
    body: string,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    onAnswer: () => void,
    keep: ((result: unknown) => void) | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const options = { path: '/', method: 'POST', headers: JSON_CONTENT, body } as const;
      this.#poolOf(engine).dispatch(
        options,
        new ForwardedAnswer(
          response,
          { headers, space: this.#space },
          { onAnswer, keep, resolve, reject },
        ),
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    this.#pools.clear();
  }

  #poolOf(engine: Engine): Pool {
    const known = this.#pools.get(engine);
    if (known) return known;
    const { url, connect, exited } = engine;
    const pool = new Pool(url, {
      ...{ connections: 64, headersTimeout: 0, bodyTimeout: 0 },
      ...connectBy(connect),
    });
    this.#pools.set(engine, pool);
    void exited.then(() => {
      this.#pools.delete(engine);
      return pool.destroy();
    });
    return pool;
  }
}

/** Longer answers are not parsed. */
const SHORT_BYTES = 64 * 1024;
const JSON_CONTENT = { 'content-type': 'application/json' };

class ForwardedAnswer implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  /** Pieces of an answer that may be kept. */
  #pieces: Buffer[] | undefined;
  /** Bytes that the client has not read yet. The engine's turn ends with its answer and does not wait for the client. */
  #spool: Spool | undefined;
  /** Keeps reading an answer whose client has disconnected. */
  readonly #resume = (): void => {
    this.#controller?.resume();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly answer: { headers: Readonly<Record<string, string>>; space: SpoolSpace },
    private readonly ends: {
      readonly onAnswer: () => void;
      readonly keep: ((result: unknown) => void) | undefined;
      readonly resolve: () => void;
      readonly reject: (error: Error) => void;
    },
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.response.on('close', this.#resume);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    _status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.ends.onAnswer();
    const { 'content-length': length } = headers;
    if (this.ends.keep && Number(length) <= SHORT_BYTES) this.#pieces = [];
    if (this.response.destroyed) return;
    const { headers: own } = this.answer;
    this.response.writeHead(
      200,
      typeof length === 'string' ? { ...own, 'content-length': length } : own,
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#pieces?.push(chunk);
    const { response } = this;
    if (response.destroyed) return;
    if (!this.#spool && !response.writableNeedDrain) {
      response.write(chunk);
      return;
    }
    this.#spool ??= new Spool(response, this.answer.space, this.#resume);
    this.#spool.push(chunk);
    if (this.#spool.isBacklogged) controller.pause();
  }

  onResponseEnd(): void {
    this.#settle();
    if (this.#pieces) this.ends.keep?.(resultIn(this.#pieces));
    if (this.#spool) this.#spool.end();
    else this.response.end();
    this.ends.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle();
    if (this.response.destroyed) this.ends.resolve();
    else this.ends.reject(error);
  }

  #settle(): void {
    this.response.off('close', this.#resume);
  }
}

/** @returns undefined if the answer is an error */
function resultIn(pieces: readonly Buffer[]): unknown {
  const [first] = pieces;
  const text = String(pieces.length === 1 && first ? first : Buffer.concat(pieces));
  try {
    return (JSON.parse(text) as { result?: unknown }).result;
  } catch {
    return undefined;
  }
}
