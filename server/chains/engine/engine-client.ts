import type { AnswerReader } from '../../evm/forms/engine';
import { EngineEndedError } from '../../evm/forms/engine-ended-error';
import { anvilOutOfRange } from '../../evm/forms/endpoint-errors';
import { engineError } from '../../evm/forms/engine-error';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { inSlices } from '../../kernel/async/slices';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { hasEffect } from './call-turn';
import { isUnread } from './unread-message';
import { missingState } from '../upstream/missing-state';
import { redactedData, redactorOf } from '../upstream/redact';

type Outcome = PromiseSettledResult<unknown>;

/** The engine that is called. */
interface CalledEngine {
  /** Removed from what it reports. */
  url: string;
  /** As `Engine.chain`. */
  chain?: string | undefined;
  /** As in `EngineConnections`. */
  send: (message: string, reader: AnswerReader, calls: number) => void;
}

/** Calls of one message. The engine executes them in order. */
const MAX_BATCH = 50;
/** Messages with reads only that are under way at a time. */
const PARALLEL_BATCHES = 16;

/**
 * JSON-RPC to one engine. What a chain's node needs is left out: nothing is asked twice, so that no change is made twice, and every error
 * is an answer. Callers that cancel early use `cancellableRequest`.
 *
 * A list of calls with a change or a send is executed in its order, however long it is: each message waits for the answer to the one before.
 */
export class EngineClient implements RpcClient {
  readonly #redact: (text: string) => string;

  constructor(private readonly engine: CalledEngine) {
    this.#redact = redactorOf(new URL(engine.url));
  }

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const [outcome] = await this.#post([{ method, params }]);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  async requestAll(calls: readonly RpcCall[]): Promise<Outcome[]> {
    if (calls.length > 0 && calls.length <= MAX_BATCH) return this.#postAll(calls);
    const parallel = calls.some(hasEffect) ? 1 : PARALLEL_BATCHES;
    const outcomes: Outcome[] = [];
    while (outcomes.length < calls.length) {
      const batches = Array.from({ length: parallel }, (_, i) => {
        const start = outcomes.length + i * MAX_BATCH;
        return calls.slice(start, start + MAX_BATCH);
      });
      const some = batches.filter(({ length }) => length > 0);
      outcomes.push(...(await Promise.all(some.map((batch) => this.#postAll(batch)))).flat());
    }
    return outcomes;
  }

  /**
   * One message, and another one for each call that the engine could not read in it, in order. A call keeps the error if the message has
   * an effect after it, which it would then see or precede.
   */
  async #postAll(calls: readonly RpcCall[]): Promise<Outcome[]> {
    const outcomes = await this.#post(calls);
    const lastEffect = calls.findLastIndex(hasEffect);
    for (const [index, call] of calls.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status !== 'rejected' || !isUnreadCall(outcome.reason)) continue;
      const isLast = index === calls.length - 1;
      if (index < lastEffect || (index === lastEffect && !isLast)) continue;
      [outcomes[index] = outcome] = await this.#post([call]);
    }
    return outcomes;
  }

  /** One message. */
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
      this.engine.send(body, new AnswerCollector(resolve, reject), calls.length);
    });
  }

  #outcomes(calls: readonly RpcCall[], answer: unknown): Outcome[] {
    if (calls.length === 1) return calls.map((call) => this.#outcome(call, answer));
    if (!Array.isArray(answer)) throw new Error('the answer is not a batch');
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
    // A fork makes another engine for a state that this one has lost, by these words.
    const lacks = anvilOutOfRange(message) ? undefined : missingState('the engine', call, known);
    const failure = lacks ?? engineError(known, this.engine.chain);
    return rejected(failure ?? known);
  }
}

/** Collects the answer to one message; one that is too long is read, but not kept. */
class AnswerCollector implements AnswerReader {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly resolve: (answer: Buffer | undefined) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onStart(): void {
    // it is read at once
  }

  onPiece(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= LIMITS.answer) this.#pieces.push(piece);
    else this.#pieces.length = 0;
  }

  onEnd(): void {
    const isTooLong = this.#length > LIMITS.answer;
    const [first] = this.#pieces;
    const all = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.resolve(isTooLong ? undefined : all);
  }

  onError(error: Error): void {
    this.reject(error);
  }
}

const isUnreadCall = (reason: unknown): boolean =>
  reason instanceof RpcError && isUnread(reason.message);

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

const TOO_LONG = `the answer is longer than ${LIMITS.answer} bytes; ask for less`;

/** A trace may be of many megabytes: other requests have their turn meanwhile. */
const parse = (bytes: Buffer): Promise<unknown> => inSlices(parseJsonWork(bytes));
