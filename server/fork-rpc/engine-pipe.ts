import type { ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';
import type { Engine } from '../ethereum/engine';
import { engineError } from '../ethereum/engine-error';
import { LIMITS } from '../api/limits';
import { connectBy } from '../streams/connect-by';
import { endTogether } from '../streams/end-together';
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
   * @returns when the engine has answered, even if the client reads slowly or has disconnected. Rejects if the engine does not answer, or
   * with an error that clients do not know (`engineError`); nothing is sent then, unless `response.headersSent`.
   * @throws ApiError upstreamUnreachable; RpcError
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
          { headers, space: this.#space, chain: engine.chain },
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

/** Longer answers are passed on as they come. */
const SHORT_BYTES = 64 * 1024;
const JSON_CONTENT = { 'content-type': 'application/json' };

class ForwardedAnswer implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  /** Pieces of a short answer. */
  #pieces: Buffer[] | undefined;
  /** Bytes that the client has not read yet. The engine's turn ends with its answer and does not wait for the client. */
  #spool: Spool | undefined;
  /** Keeps reading an answer whose client has disconnected. */
  readonly #resume = (): void => {
    this.#controller?.resume();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly answer: {
      readonly headers: Readonly<Record<string, string>>;
      readonly space: SpoolSpace;
      readonly chain: string | undefined;
    },
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
    if (Number(length) <= SHORT_BYTES) this.#pieces = [];
    else if (!this.response.destroyed) {
      const { headers: own } = this.answer;
      this.response.writeHead(
        200,
        typeof length === 'string' ? { ...own, 'content-length': length } : own,
      );
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this;
    if (this.#pieces) {
      this.#pieces.push(chunk);
      return;
    }
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
    if (this.#pieces) {
      this.#sendShort(this.#pieces);
      return;
    }
    if (this.#spool) this.#spool.end();
    else this.response.end();
    this.ends.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle();
    if (this.response.destroyed) this.ends.resolve();
    else this.ends.reject(error);
  }

  #sendShort(pieces: readonly Buffer[]): void {
    const [first] = pieces;
    const body = pieces.length === 1 && first ? first : Buffer.concat(pieces);
    const { keep, resolve, reject } = this.ends;
    const isParsed = keep !== undefined || body.includes('"error":');
    const answer = isParsed ? parsed(body) : undefined;
    const failure = answer?.error && engineError(answer.error, this.answer.chain);
    if (failure) {
      reject(failure);
      return;
    }
    keep?.(answer?.result);
    if (!this.response.destroyed) {
      this.response.writeHead(200, { ...this.answer.headers, 'content-length': body.length });
      endTogether(this.response, body);
    }
    resolve();
  }

  #settle(): void {
    this.response.off('close', this.#resume);
  }
}

interface EngineAnswer {
  result?: unknown;
  error?: { code: number; message: string };
}

function parsed(body: Buffer): EngineAnswer | undefined {
  try {
    return JSON.parse(String(body)) as EngineAnswer;
  } catch {
    return undefined;
  }
}
