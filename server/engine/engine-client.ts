import { Pool, type Dispatcher } from 'undici';
import type { OpenConnection } from '../ethereum/engine';
import { EngineEndedError } from '../ethereum/engine-ended-error';
import { engineError } from '../ethereum/engine-error';
import { RpcError, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import { parseJsonWork } from '../async/parse-json';
import { inSlices } from '../async/slices';
import { LIMITS } from '../api/limits';
import { RPC_CODES } from '../api/rpc-codes';
import { connectBy } from '../streams/connect-by';
import { missingState } from '../upstream/missing-state';
import { redactedData, redactorOf } from '../upstream/redact';

type Outcome = PromiseSettledResult<unknown>;

/** How an engine is reached. */
export interface EngineAddress {
  /** `http://127.0.0.1:PORT` */
  url: string;
  connect?: OpenConnection | undefined;
  /** As `Engine.chain`. */
  chain?: string | undefined;
}

/** Requests under way at a time: more than reads that `OrderedEngine` lets share their turn, so that none waits behind calls of others. */
const CONNECTIONS = 160;
/** Calls of one request. */
const MAX_BATCH = 50;
/** Requests that calls are sent in at a time. */
const PARALLEL_BATCHES = 16;

/**
 * JSON-RPC to one engine. What a chain's node needs is left out: nothing is asked twice, so that no change is made twice, and every error
 * is an answer. Callers that cancel early use `cancellableRequest`.
 */
export class EngineClient implements RpcClient {
  readonly #pool: Pool;
  readonly #redact: (text: string) => string;

  constructor(private readonly address: EngineAddress) {
    this.#pool = new Pool(address.url, {
      // Engines answer when they are done, however long that takes.
      ...{ connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 },
      ...connectBy(address.connect),
    });
    this.#redact = redactorOf(new URL(address.url));
  }

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const [outcome] = await this.#post([{ method, params }]);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  async requestAll(calls: readonly RpcCall[]): Promise<Outcome[]> {
    if (calls.length > 0 && calls.length <= MAX_BATCH) return this.#post(calls);
    const outcomes: Outcome[] = [];
    while (outcomes.length < calls.length) {
      const batches = Array.from({ length: PARALLEL_BATCHES }, (_, i) => {
        const start = outcomes.length + i * MAX_BATCH;
        return calls.slice(start, start + MAX_BATCH);
      });
      const some = batches.filter(({ length }) => length > 0);
      outcomes.push(...(await Promise.all(some.map((batch) => this.#post(batch)))).flat());
    }
    return outcomes;
  }

  /** Ends its connections; calls under way fail. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** One HTTP request. */
  async #post(calls: readonly RpcCall[]): Promise<Outcome[]> {
    try {
      const bytes = await this.#exchange(calls);
      return bytes === undefined
        ? calls.map(({ method }) =>
            rejected(new RpcError(RPC_CODES.limitExceeded, `${method}: ${TOO_LONG}`)),
          )
        : this.#outcomes(calls, await parse(bytes));
    } catch (error) {
      const reason = new EngineEndedError(error);
      return calls.map(() => rejected(reason));
    }
  }

  /** @returns the answer; undefined for one that is too long to be read as a whole */
  #exchange(calls: readonly RpcCall[]): Promise<Buffer | undefined> {
    const messages = calls.map(({ method, params }, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const body = JSON.stringify(messages.length === 1 ? messages[0] : messages);
    return new Promise((resolve, reject) => {
      const options = { path: '/', method: 'POST', headers: JSON_CONTENT, body } as const;
      this.#pool.dispatch(options, new AnswerCollector(resolve, reject));
    });
  }

  #outcomes(calls: readonly RpcCall[], answer: unknown): Outcome[] {
    if (calls.length === 1) return calls.map((call) => this.#outcome(call, answer));
    if (!Array.isArray(answer)) throw new Error('the answer is no batch');
    const byId = new Map((answer as ({ id?: unknown } | null)[]).map((one) => [one?.id, one]));
    return calls.map((call, id) => this.#outcome(call, byId.get(id)));
  }

  #outcome(call: RpcCall, answer: unknown): Outcome {
    if (typeof answer !== 'object' || answer === null)
      throw new Error('the answer is not JSON-RPC');
    const { error, result } = answer as { error?: Partial<RpcError> | null; result?: unknown };
    if (error === undefined || error === null) return { status: 'fulfilled', value: result };
    const { code = RPC_CODES.internal, message = 'unknown error', data } = error;
    const known = new RpcError(code, this.#redact(message), redactedData(data, this.#redact));
    const failure =
      missingState('the engine', call, known) ?? engineError(known, this.address.chain);
    return rejected(failure ?? known);
  }
}

const JSON_CONTENT = { 'content-type': 'application/json' };

/** Collects the answer to one request; one that is too long is read, but not kept. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly resolve: (answer: Buffer | undefined) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  /** undici requires it. */
  onRequestStart(): void {
    // nothing to prepare
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) controller.abort(new Error(`it answers with HTTP status ${status}`));
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= LIMITS.answer) this.#pieces.push(piece);
    else this.#pieces.length = 0;
  }

  onResponseEnd(): void {
    const isTooLong = this.#length > LIMITS.answer;
    const [first] = this.#pieces;
    const all = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.resolve(isTooLong ? undefined : all);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

const TOO_LONG = `the answer is longer than ${LIMITS.answer} bytes; ask for less`;

/** A trace may be of many megabytes: other requests have their turn meanwhile. */
const parse = (bytes: Buffer): Promise<unknown> => inSlices(parseJsonWork(bytes));
