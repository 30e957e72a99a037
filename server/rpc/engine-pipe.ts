import type { ServerResponse } from 'node:http';
import type { Engine } from '../ethereum/engine';
import { LIMITS } from '../limits';
import type { AnswerFlow, AnswerReader } from './engine-connection';
import { EngineConnections } from './engine-connections';
import { Spool, type SpoolSpace } from './spool';

/**
 * The way to the engines for what nobody has to look at: the bytes of a request go there, and those of the answer come back, over
 * connections that stay open. Nothing is rebuilt: traces can be large, and most requests are small and many.
 */
export class EnginePipe {
  readonly #connections = new Map<Engine, EngineConnections>();
  readonly #space: SpoolSpace = { limit: LIMITS.spool, used: 0 };

  /**
   * @param body the request, as it was received
   * @param headers of the answer to the client
   * @param onAnswer is called when the engine's answer begins
   * @param keep takes the result of a short answer
   * @returns when the engine has answered, however slowly the client reads, also where it has gone away. Rejects where the engine does not
   * answer; nothing is sent then, unless `response.headersSent`.
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
      this.#connectionsTo(engine).post(
        body,
        new Passage(response, { headers, space: this.#space }, { onAnswer, keep, resolve, reject }),
      );
    });
  }

  close(): void {
    for (const connections of this.#connections.values()) connections.close();
    this.#connections.clear();
  }

  #connectionsTo(engine: Engine): EngineConnections {
    const known = this.#connections.get(engine);
    if (known) return known;
    const connections = new EngineConnections(engine, CONNECTIONS);
    this.#connections.set(engine, connections);
    void engine.exited.then(() => {
      this.#connections.delete(engine);
      connections.close();
    });
    return connections;
  }
}

/** Requests of clients under way at a time, for each engine. */
const CONNECTIONS = 64;
/** Longer ones are not looked into. */
const SHORT_BYTES = 64 * 1024;

class Passage implements AnswerReader {
  #flow: AnswerFlow | undefined;
  /** Of the answer, in bytes. */
  #length = 0;
  /** Pieces of an answer that may be kept. */
  #pieces: Buffer[] | undefined;
  /** What a client has not taken yet: the engine's turn ends with its answer, and does not wait for the client. */
  #spool: Spool | undefined;
  /** What comes for a client that is gone is read all the same. */
  readonly #resume = (): void => {
    this.#flow?.resume();
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

  begin(length: number, flow: AnswerFlow): void {
    this.#flow = flow;
    this.#length = length;
    this.response.on('close', this.#resume);
    this.ends.onAnswer();
    if (this.ends.keep && length <= SHORT_BYTES) this.#pieces = [];
    if (this.response.destroyed) return;
    this.response.writeHead(200, { ...this.answer.headers, 'content-length': length });
  }

  piece(bytes: Buffer): void {
    this.#pieces?.push(bytes);
    const { response } = this;
    if (response.destroyed) return;
    if (!this.#spool && !response.writableNeedDrain) {
      // In one write with its head, where it came as a whole.
      if (bytes.length === this.#length) response.end(bytes);
      else response.write(bytes);
      return;
    }
    this.#spool ??= new Spool(response, this.answer.space, this.#resume);
    this.#spool.push(bytes);
    if (this.#spool.isBehind) this.#flow?.pause();
  }

  end(): void {
    this.#settle();
    if (this.#pieces) this.ends.keep?.(resultIn(this.#pieces));
    if (this.#spool) this.#spool.end();
    else if (!this.response.writableEnded) this.response.end();
    this.ends.resolve();
  }

  fail(error: Error): void {
    this.#settle();
    if (this.response.destroyed) this.ends.resolve();
    else this.ends.reject(error);
  }

  #settle(): void {
    this.response.off('close', this.#resume);
    // The connection is for others now.
    this.#flow = undefined;
  }
}

/** @returns undefined for an error */
function resultIn(pieces: readonly Buffer[]): unknown {
  const [first] = pieces;
  const text = String(pieces.length === 1 && first ? first : Buffer.concat(pieces));
  try {
    return (JSON.parse(text) as { result?: unknown }).result;
  } catch {
    return undefined;
  }
}
