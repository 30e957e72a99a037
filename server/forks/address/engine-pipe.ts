import type { ServerResponse } from 'node:http';
import type { AnswerReader, Engine, PausableAnswer } from '../../evm/forms/engine';
import { engineError } from '../../evm/forms/engine-error';
import { LIMITS } from '../../api/limits';
import { endTogether } from '../../kernel/streams/end-together';
import { Spool, type SpoolSpace } from '../../kernel/streams/spool';

/** Passes requests to engines and answers to clients as bytes. Nothing is parsed: traces can be large, and most requests are small and many. */
export class EnginePipe {
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
      engine.send(
        body,
        new ForwardedAnswer(
          response,
          { headers, space: this.#space, chain: engine.chain },
          { onAnswer, keep, resolve, reject },
        ),
      );
    });
  }
}

/** Longer answers are passed on as they come. */
const SHORT_BYTES = 64 * 1024;

class ForwardedAnswer implements AnswerReader {
  #answer: PausableAnswer | undefined;
  /** Pieces of an answer that has been short so far. */
  #pieces: Buffer[] | undefined = [];
  #length = 0;
  /** Bytes that the client has not read yet. The engine's turn ends with its answer and does not wait for the client. */
  #spool: Spool | undefined;
  /** Keeps reading an answer whose client has disconnected. */
  readonly #resume = (): void => {
    this.#answer?.resume();
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

  onStart(answer: PausableAnswer): void {
    this.#answer = answer;
    this.response.on('close', this.#resume);
    this.ends.onAnswer();
  }

  onPiece(piece: Buffer): void {
    if (!this.#pieces) {
      this.#forward(piece);
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length <= SHORT_BYTES) return;
    const pieces = this.#pieces;
    this.#pieces = undefined;
    if (!this.response.destroyed) this.response.writeHead(200, this.answer.headers);
    for (const one of pieces) this.#forward(one);
  }

  onEnd(): void {
    this.#settle();
    if (this.#pieces) {
      this.#sendShort(this.#pieces);
      return;
    }
    if (this.#spool) this.#spool.end();
    else this.response.end();
    this.ends.resolve();
  }

  onError(error: Error): void {
    this.#settle();
    if (this.response.destroyed) this.ends.resolve();
    else this.ends.reject(error);
  }

  #forward(piece: Buffer): void {
    const { response } = this;
    if (response.destroyed) return;
    if (!this.#spool && !response.writableNeedDrain) {
      response.write(piece);
      return;
    }
    this.#spool ??= new Spool(response, this.answer.space, this.#resume);
    this.#spool.push(piece);
    if (this.#spool.isBacklogged) this.#answer?.pause();
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
