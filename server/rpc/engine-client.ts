import { ApiError } from '../api/errors';
import { RpcError, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import { parseJsonWork } from '../ethereum/parse-json';
import { inSlices } from '../ethereum/slices';
import { LIMITS } from '../limits';
import { EngineConnections, type EngineAddress } from './engine-connections';
import { missingState } from './missing-state';
import { redactedData, redactorOf } from './redact';

type Outcome = PromiseSettledResult<unknown>;

/** Requests under way at a time: more than reads that `OrderedEngine` lets share their turn, so that none waits behind calls of others. */
const CONNECTIONS = 160;
/** Calls of one request. */
const MAX_BATCH = 50;
/** Requests that calls are sent in at a time. */
const PARALLEL_BATCHES = 16;

/**
 * JSON-RPC to one engine. What a chain's node needs is left out: nothing is asked twice, so that no change is made twice, and every error
 * is an answer. Callers that give up early do so by `unlessGivenUp`.
 */
export class EngineClient implements RpcClient {
  readonly #connections: EngineConnections;
  readonly #redact: (text: string) => string;

  constructor(address: EngineAddress) {
    this.#connections = new EngineConnections(address, CONNECTIONS);
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
  close(): void {
    this.#connections.close();
  }

  /** One HTTP request. */
  async #post(calls: readonly RpcCall[]): Promise<Outcome[]> {
    try {
      const bytes = await this.#exchange(calls);
      return bytes === undefined
        ? calls.map(({ method }) => rejected(new RpcError(-32005, `${method}: ${TOO_LONG}`)))
        : this.#outcomes(calls, await parse(bytes));
    } catch (error) {
      const reason = unanswered(error as Error);
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
      const pieces: Buffer[] = [];
      let isTooLong = false;
      this.#connections.post(body, {
        begin: (length) => {
          isTooLong = length > LIMITS.answer;
        },
        piece: (piece) => {
          if (!isTooLong) pieces.push(piece);
        },
        end: () => {
          if (isTooLong) resolve(undefined);
          else resolve(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
        },
        fail: reject,
      });
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
    const { code = -32603, message = 'unknown error', data } = error;
    const known = new RpcError(code, this.#redact(message), redactedData(data, this.#redact));
    return rejected(missingState('the engine', call, known) ?? known);
  }
}

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

const unanswered = (cause: Error): ApiError =>
  new ApiError('upstreamUnreachable', `the engine does not answer (${cause.message})`, { cause });

const TOO_LONG = `the answer is longer than ${LIMITS.answer} bytes; ask for less`;

/** A trace may be of many megabytes: other requests have their turn meanwhile. */
const parse = (bytes: Buffer): Promise<unknown> => inSlices(parseJsonWork(bytes));
