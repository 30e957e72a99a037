import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { RpcError, type RpcCall } from '../ethereum/json-rpc';
import { parseJsonWork } from '../async/parse-json';
import { inSlices, type Work } from '../async/slices';
import { LIMITS } from '../api/limits';
import { RPC_CODES } from '../api/rpc-codes';
import { traceHeaders } from '../requests/request-trace';
import { EndpointHealth } from './endpoint-health';
import { EndpointPace } from './endpoint-pace';
import { redactedData, redactorOf } from './redact';

export interface RpcEndpointOptions {
  /** Longest batch in one HTTP request, initially. */
  maxBatch: number;
  /** Concurrent HTTP requests, at most. */
  connections: number;
  /** A method that was missing once counts as missing for a while. */
  remembersMissing: boolean;
  now: () => number;
  /** Jitter, from 0 to 1. */
  random: () => number;
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** What one HTTP request came to. */
export interface Exchange {
  /** JSON-RPC calls in the request. */
  calls: number;
  /** Calls without a usable answer. */
  failed: number;
  seconds: number;
}

/** An attempt without an answer, or with the answer "later". Another endpoint or a later attempt may succeed. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';
  /** The endpoint works, but asked for time. */
  readonly busy: boolean;
  /** Unix milliseconds before which the endpoint asked not to be called again. */
  readonly retryAt: number | undefined;
  /** The endpoint may accept fewer calls at a time. */
  readonly batchRefused: boolean;

  /** @param message what happened, without the endpoint's URL */
  constructor(
    message: string,
    {
      busy = false,
      retryAt,
      batchRefused = false,
    }: { busy?: boolean; retryAt?: number | undefined; batchRefused?: boolean } = {},
  ) {
    super(message);
    this.busy = busy;
    this.retryAt = retryAt;
    this.batchRefused = batchRefused;
  }
}

/** How long a reduced batch size is kept before it is doubled again: a provider's plan may change. */
const BATCH_RETRY_MS = 10 * 60_000;

type Redact = (text: string) => string;

/** Outcome of one call of an answered request. */
export type Outcome = { result: unknown } | { error: RpcError } | { transient: TransientFailure };

const OVERLOADED =
  /rate.?limit|too many requests|request limit|exceeded.{0,40}(capacity|compute|quota|credits)/i;
/** Infura and others also answer -32005 for a range that is too large. A retry does not help then. */
const TOO_LARGE = /query returned more|block range|response size|results? limit/i;
/** The reason of a revert is a contract's own text, which may match anything. */
const REVERTED = /revert/i;

/** @param redact removes possible keys of the endpoint */
function outcomeOf(answer: unknown, redact: Redact): Outcome {
  if (typeof answer !== 'object' || answer === null) {
    return { transient: new TransientFailure('the answer is not JSON-RPC') };
  }
  const { error, result } = answer as { error?: unknown; result?: unknown };
  if (error === undefined || error === null) {
    return 'result' in answer
      ? { result }
      : { transient: new TransientFailure('the answer has neither result nor error') };
  }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const failure = new RpcError(
    typeof code === 'number' ? code : RPC_CODES.internal,
    redact(typeof message === 'string' ? message : 'unknown error'),
    redactedData(data, redact),
  );
  return isBusy(failure)
    ? { transient: new TransientFailure(`answered "${failure.message}"`, { busy: true }) }
    : { error: failure };
}

function isBusy({ code, message }: RpcError): boolean {
  if (code === 3 || REVERTED.test(message) || TOO_LARGE.test(message)) return false;
  return code === 429 || code === RPC_CODES.limitExceeded || OVERLOADED.test(message);
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAtOf(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = Number(header);
  const at = Number.isFinite(seconds) ? now + seconds * 1000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}

/** One URL that accepts JSON-RPC over HTTP POST. The URL never leaves this class. */
export class RpcEndpoint {
  readonly #url: URL;
  readonly #redact: Redact;
  readonly health: EndpointHealth;
  readonly pace: EndpointPace;
  /** Longest batch that the endpoint is known to accept. */
  #learnedBatch: number;
  /** When `#learnedBatch` was set, in Unix milliseconds. */
  #batchLearnedAt = 0;
  #chainId: Promise<number | undefined> | undefined;

  constructor(
    url: string,
    private readonly agent: Agent,
    private readonly options: RpcEndpointOptions,
  ) {
    this.#url = new URL(url);
    this.#redact = redactorOf(this.#url);
    this.#learnedBatch = options.maxBatch;
    this.health = new EndpointHealth(options.now, options.remembersMissing);
    this.pace = new EndpointPace(options.connections, options.now, options.random);
  }

  /** Calls that the endpoint accepts in one request. */
  get maxBatch(): number {
    const { maxBatch, now } = this.options;
    if (this.#learnedBatch === maxBatch) return maxBatch;
    const doublings = Math.floor((now() - this.#batchLearnedAt) / BATCH_RETRY_MS);
    return Math.min(maxBatch, this.#learnedBatch * 2 ** doublings);
  }

  /** Records that a batch of this length was refused: half of it is the limit for a while. */
  shorten(length: number): void {
    const half = Math.floor(length / 2);
    if (half < 1 || half >= this.maxBatch) return;
    this.#learnedBatch = half;
    this.#batchLearnedAt = this.options.now();
  }

  /**
   * The chain id that the endpoint reports. It is requested once, and again after a failure.
   * @returns undefined if the endpoint does not report it
   * @throws TransientFailure
   */
  chainId(signal: AbortSignal): Promise<number | undefined> {
    return (this.#chainId ??= this.#askChainId(signal).catch((error: unknown) => {
      this.#chainId = undefined;
      throw error;
    }));
  }

  /** The node at the URL may be replaced by the correct one. */
  forgetChainId(): void {
    this.#chainId = undefined;
  }

  async #askChainId(signal: AbortSignal): Promise<number | undefined> {
    const [outcome] = await this.post([{ method: 'eth_chainId', params: [] }], signal);
    if (outcome && 'transient' in outcome) throw outcome.transient;
    if (!outcome || 'error' in outcome) return undefined;
    const { result } = outcome;
    return typeof result === 'string' && /^0x[0-9a-f]+$/i.test(result) ? Number(result) : undefined;
  }

  /**
   * Sends the calls as one HTTP request.
   * @returns one outcome per call
   * @throws TransientFailure if there is no usable answer; the signal's reason if it fired
   */
  async post(calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> {
    const start = performance.now();
    let failed = calls.length;
    try {
      const outcomes = await this.#post(calls, signal);
      failed = outcomes.filter((outcome) => 'transient' in outcome).length;
      return outcomes;
    } catch (error) {
      // A client that cancels says nothing about the endpoint; a time limit does.
      if (signal.aborted && !isTimeLimit(signal.reason)) failed = 0;
      throw error;
    } finally {
      const seconds = (performance.now() - start) / 1000;
      this.options.onExchange?.({ calls: calls.length, failed, seconds });
    }
  }

  async #post(calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> {
    const messages = calls.map((call, id) => ({
      jsonrpc: '2.0',
      id,
      method: call.method,
      params: call.params,
    }));
    const batch = messages.length > 1;
    const { status, retryAfter, bytes } = await this.#exchange(
      JSON.stringify(batch ? messages : messages[0]),
      signal,
    );
    if (bytes === undefined) {
      // A shorter batch has a shorter answer.
      if (batch) throw new TransientFailure(TOO_LONG, { batchRefused: true });
      return [
        {
          error: new RpcError(RPC_CODES.limitExceeded, `${messages[0]?.method ?? ''}: ${TOO_LONG}`),
        },
      ];
    }
    const answer = await parse(bytes, signal);
    if (status === 429) {
      throw new TransientFailure('HTTP 429', {
        busy: true,
        retryAt: retryAtOf(retryAfter, this.options.now()),
      });
    }
    // Some nodes send JSON-RPC errors with status 400 or 500. These are answers.
    if (status >= 300 && !isAnswer(answer)) {
      throw new TransientFailure(`HTTP ${status}`, {
        // 503 may include the time until recovery (RFC 9110 §15.6.4).
        retryAt: status === 503 ? retryAtOf(retryAfter, this.options.now()) : undefined,
        batchRefused: batch && [400, 413, 422].includes(status),
      });
    }
    return batch
      ? batchOutcomes(answer, messages.length, this.#redact)
      : [outcomeOf(answer, this.#redact)];
  }

  async #exchange(
    body: string,
    signal: AbortSignal,
  ): Promise<{
    status: number;
    retryAfter: string | string[] | undefined;
    bytes: Buffer | undefined;
  }> {
    try {
      const {
        statusCode,
        headers,
        body: stream,
      } = await this.agent.request({
        origin: this.#url.origin,
        path: this.#url.pathname + this.#url.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...traceHeaders(),
          ...authorization(this.#url),
        },
        body,
        signal,
      });
      return {
        status: statusCode,
        retryAfter: headers['retry-after'],
        bytes: await readBytes(stream),
      };
    } catch (error) {
      signal.throwIfAborted();
      const code = (error as { code?: unknown }).code;
      throw new TransientFailure(typeof code === 'string' ? code : 'no connection');
    }
  }
}

const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';

/** Answers may be in any order, or missing. */
function batchOutcomes(answer: unknown, length: number, redact: Redact): Outcome[] {
  const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
  const byId = new Map(answers.map((one) => [(one as { id?: unknown } | null)?.id, one]));
  const ids = Array.from({ length }, (_, id) => id);
  if (Array.isArray(answer) && ids.some((id) => byId.has(id))) {
    return ids.map((id) =>
      byId.has(id)
        ? outcomeOf(byId.get(id), redact)
        : { transient: new TransientFailure('the batch lacks an answer') },
    );
  }
  // The node sent one error for the whole batch.
  const outcome = outcomeOf(answers[0], redact);
  if ('transient' in outcome && outcome.transient.busy) throw outcome.transient;
  throw new TransientFailure('the batch was not accepted', { batchRefused: true });
}

const isAnswer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || 'error' in value || 'result' in value);

const TOO_LONG = `the answer is longer than ${LIMITS.answer} bytes; request less`;

/** @returns undefined if the answer is too long */
async function readBytes(stream: Readable): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += (piece as Buffer).length;
    // Leaving the loop closes the connection.
    if (length > LIMITS.answer) return undefined;
    pieces.push(piece as Buffer);
  }
  return inSlices(joinWork(pieces));
}

/** Like `Buffer.concat`, which blocks for a tenth of a second for many megabytes. */
function* joinWork(pieces: readonly Buffer[]): Work<Buffer> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
    yield 1;
  }
  return joined;
}

/** Parses in slices: a trace may have many megabytes, and other requests must run in between. */
async function parse(bytes: Buffer, signal: AbortSignal): Promise<unknown> {
  try {
    return await inSlices(parseJsonWork(bytes), signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** `https://user:password@host`: undici ignores the credentials of a URL. */
function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
