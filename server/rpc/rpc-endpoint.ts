import type { Agent } from 'undici';
import { RpcError, type RpcCall } from '../ethereum/json-rpc';

/** An attempt that got no answer, or one that says "later": worth another endpoint or another moment. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure';

  constructor(
    /** What happened, without the endpoint's URL. */
    message: string,
    /** Unix milliseconds before which the endpoint asked not to be called again. */
    readonly retryAt?: number,
    /** The endpoint may take the calls one at a time. */
    readonly batchRefused = false,
  ) {
    super(message);
  }
}

/** What one call of an answered request came to. */
export type Outcome = { result: unknown } | { error: RpcError } | { transient: TransientFailure };

const OVERLOADED =
  /rate.?limit|too many requests|request limit|exceeded.{0,40}(capacity|compute|quota|credits)/i;
/** Infura and others answer -32005 for a range that is too large as well: asking again does not help. */
const TOO_LARGE = /query returned more|block range|response size|results? limit/i;

function outcomeOf(answer: unknown): Outcome {
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
    typeof code === 'number' ? code : -32603,
    withoutUrls(typeof message === 'string' ? message : 'unknown error'),
    data,
  );
  const busy = failure.code === 429 || failure.code === -32005 || OVERLOADED.test(failure.message);
  return busy && !TOO_LARGE.test(failure.message)
    ? { transient: new TransientFailure(`answered "${failure.message}"`) }
    : { error: failure };
}

/** Nodes behind proxies repeat their own address, provider key included, in some errors. */
const withoutUrls = (text: string): string =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>)\]]+/gi, '<endpoint>');

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAtOf(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = Number(header);
  const at = Number.isFinite(seconds) ? now + seconds * 1000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}

/** One URL that takes JSON-RPC over HTTP POST. Its URL never leaves this class. */
export class RpcEndpoint {
  readonly #url: URL;
  /** Unix milliseconds; before it, other endpoints are preferred. */
  restingUntil = 0;
  /** Unix milliseconds; before it, the endpoint asked not to be called (Retry-After). */
  retryAt = 0;
  /** False once it refused a batch. */
  batches = true;

  constructor(
    url: string,
    private readonly agent: Agent,
    private readonly now: () => number,
  ) {
    this.#url = new URL(url);
  }

  /**
   * Sends the calls as one HTTP request.
   * @returns one outcome per call
   * @throws TransientFailure where nothing usable came back; the signal's reason if it fired
   */
  async post(calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> {
    const messages = calls.map((call, id) => ({
      jsonrpc: '2.0',
      id,
      method: call.method,
      params: call.params,
    }));
    const batch = messages.length > 1;
    const { status, retryAfter, text } = await this.#exchange(
      JSON.stringify(batch ? messages : messages[0]),
      signal,
    );
    const answer = parse(text);
    if (status === 429 || status >= 500) {
      // Some nodes send their JSON-RPC errors with status 500: those are answers.
      if (status === 429 || !isAnswer(answer)) {
        throw new TransientFailure(`HTTP ${status}`, retryAtOf(retryAfter, this.now()));
      }
    } else if (status >= 300 && !isAnswer(answer)) {
      throw new TransientFailure(
        `HTTP ${status}`,
        undefined,
        batch && [400, 413, 422].includes(status),
      );
    }
    if (!batch) return [outcomeOf(answer)];
    if (!Array.isArray(answer)) {
      throw new TransientFailure('the batch was not accepted', undefined, true);
    }
    const byId = new Map(
      answer.map((one) => [(one as { id?: unknown } | null)?.id, one as unknown]),
    );
    return messages.map(({ id }) => outcomeOf(byId.get(id)));
  }

  async #exchange(
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; retryAfter: string | string[] | undefined; text: string }> {
    try {
      const {
        statusCode,
        headers,
        body: stream,
      } = await this.agent.request({
        origin: this.#url.origin,
        path: this.#url.pathname + this.#url.search,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization(this.#url) },
        body,
        signal,
      });
      return { status: statusCode, retryAfter: headers['retry-after'], text: await stream.text() };
    } catch (error) {
      signal.throwIfAborted();
      const code = (error as { code?: unknown }).code;
      throw new TransientFailure(typeof code === 'string' ? code : 'no connection');
    }
  }
}

const isAnswer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || 'error' in value || 'result' in value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `https://user:password@host`: undici leaves the credentials of a URL unused. */
function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
