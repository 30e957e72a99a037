import PQueue from 'p-queue';
import { timeoutSignal } from '../../api/timeout-signal';
import { hasMoreValuesWork } from '../async/json-size';
import { parseJsonWork } from '../async/parse-json';
import { inSlices } from '../async/slices';
import { proxiedFetch } from '../streams/environment-proxy';

/** Default settings of a service. */
export interface ServiceFacts {
  /** For the log, which must not contain the URL: it may contain a key. */
  name: string;
  url: string;
  /** Timeout of one request. Shorter than the caller's timeout, so that the error names the slow service. */
  timeoutMs: number;
  /** Longer answers are rejected. */
  maxBytes: number;
  /** Requests that may start within one second. */
  perSecond?: number;
}

export interface ServiceOptions {
  /** Replaces the service's own URL. */
  url?: string | undefined;
  timeoutMs?: number;
  log?: { warn(facts: object, message: string): void } | undefined;
  now?: (() => number) | undefined;
}

/** The HTTP status, which is neither 429 nor 5xx, and the parsed body. */
export interface ServiceAnswer {
  readonly status: number;
  /** Undefined if the answer is too large. */
  readonly json: unknown;
  /** Why the answer is not read: it is larger than anything that the service should have. Asking again would not help. */
  readonly excess?: string;
}

/** Values in the JSON of an answer: a hundred times those of the largest contracts. */
const MAX_VALUES = 200_000;

const CONCURRENCY = 8;
/** Time after a failure in which the service gets no requests, so that analyses do not wait for it. */
const REST_MS = 60_000;

/** A service on the internet, which may be slow, unavailable or faulty. It is asked through the proxies of the environment. */
export class PublicService {
  readonly #queue: PQueue;
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  #restingUntil = -Infinity;
  readonly #fetch = proxiedFetch();

  constructor(
    private readonly facts: ServiceFacts,
    private readonly options: ServiceOptions,
  ) {
    const { perSecond } = facts;
    this.#url = (options.url ?? facts.url).replace(/\/+$/, '');
    this.#timeoutMs = options.timeoutMs ?? facts.timeoutMs;
    this.#queue = new PQueue({
      concurrency: CONCURRENCY,
      ...(perSecond === undefined ? {} : { interval: 1_000, intervalCap: perSecond }),
    });
    this.#now = options.now ?? Date.now;
  }

  /**
   * @param path the part after the service's URL
   * @returns undefined if the service does not answer, is paused, or returns something other than JSON; `excess` for an answer that is too large
   * @throws the signal's reason
   */
  async get(path: string, signal: AbortSignal): Promise<ServiceAnswer | undefined> {
    if (this.#isResting()) return undefined;
    return this.#queue.add(async () => {
      signal.throwIfAborted();
      return this.#isResting() ? undefined : this.#request(path, signal);
    });
  }

  /** Pauses requests to the service. */
  rest(why: string, forMs = REST_MS): void {
    this.#restingUntil = this.#now() + forMs;
    this.options.log?.warn({ service: this.facts.name, why }, 'requests to a service are paused');
  }

  #isResting(): boolean {
    return this.#now() < this.#restingUntil;
  }

  #tooLarge(status: number, excess: string): ServiceAnswer {
    const { name } = this.facts;
    this.options.log?.warn({ service: name, excess }, 'an answer of a service is too large');
    return { status, json: undefined, excess };
  }

  async #request(path: string, signal: AbortSignal): Promise<ServiceAnswer | undefined> {
    try {
      const response = await this.#fetch(this.#url + path, {
        redirect: 'error',
        headers: { accept: 'application/json' },
        signal: AbortSignal.any([signal, timeoutSignal(this.#timeoutMs)]),
      });
      if (response.status === 429 || response.status >= 500) {
        await response.body?.cancel();
        this.rest(`HTTP ${response.status}`, retryAfter(response));
        return undefined;
      }
      const { maxBytes } = this.facts;
      const bytes = await readBytes(response, maxBytes);
      const { status } = response;
      if (bytes === undefined) return this.#tooLarge(status, `more than ${maxBytes} bytes`);
      if (await inSlices(hasMoreValuesWork(bytes, MAX_VALUES), signal)) {
        return this.#tooLarge(status, `more than ${MAX_VALUES} values`);
      }
      return { status, json: await inSlices(parseJsonWork(bytes), signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SyntaxError) return undefined;
      this.rest(isTimeout(error) ? 'no answer in time' : 'not reachable');
      return undefined;
    }
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, REST_MS) : REST_MS;
}

/** Undefined if the body is longer than allowed; the rest is not read. */
async function readBytes(response: Response, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
