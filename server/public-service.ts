import PQueue from 'p-queue';

/** A service, as it is where nothing else is configured. */
export interface ServiceFacts {
  /** For the log. The address is not logged: it may hold a key. */
  name: string;
  url: string;
  /** Of one request; shorter than who asks waits, so that it is the service that is seen to be slow. */
  timeoutMs: number;
  /** Longer answers are refused. */
  maxBytes: number;
  /** Requests that may start within a second. */
  perSecond?: number;
}

export interface ServiceOptions {
  /** In place of the service's own. */
  url?: string | undefined;
  timeoutMs?: number;
  log?: { warn(facts: object, message: string): void } | undefined;
  now?: (() => number) | undefined;
}

/** HTTP status, whatever it is but 429 and 5xx, and the parsed body. */
export interface ServiceAnswer {
  readonly status: number;
  readonly json: unknown;
}

const CONCURRENCY = 8;
/** After a failure a service is left alone for this long, so that no analysis waits for it again. */
const REST_MS = 60_000;

/** A service on the internet that may be slow, down, or not what it should be. */
export class PublicService {
  private readonly queue: PQueue;
  private readonly url: string;
  private readonly timeoutMs: number;
  private readonly now: () => number;
  private restingUntil = -Infinity;

  constructor(
    private readonly facts: ServiceFacts,
    private readonly options: ServiceOptions,
  ) {
    const { perSecond } = facts;
    this.url = (options.url ?? facts.url).replace(/\/+$/, '');
    this.timeoutMs = options.timeoutMs ?? facts.timeoutMs;
    this.queue = new PQueue({
      concurrency: CONCURRENCY,
      ...(perSecond === undefined ? {} : { interval: 1_000, intervalCap: perSecond }),
    });
    this.now = options.now ?? Date.now;
  }

  /**
   * @param path what follows the service's address
   * @returns undefined where the service does not answer, is not to be asked now, or answers with something that is not JSON
   * @throws the signal's reason
   */
  async get(path: string, signal: AbortSignal): Promise<ServiceAnswer | undefined> {
    if (this.isResting()) return undefined;
    return this.queue.add(async () => {
      signal.throwIfAborted();
      return this.isResting() ? undefined : this.request(path, signal);
    });
  }

  /** Leaves the service alone for a while. */
  rest(why: string, forMs = REST_MS): void {
    this.restingUntil = this.now() + forMs;
    this.options.log?.warn({ service: this.facts.name, why }, 'a service is left alone for now');
  }

  private isResting(): boolean {
    return this.now() < this.restingUntil;
  }

  private async request(path: string, signal: AbortSignal): Promise<ServiceAnswer | undefined> {
    try {
      const response = await fetch(this.url + path, {
        redirect: 'error',
        headers: { accept: 'application/json' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]),
      });
      if (response.status === 429 || response.status >= 500) {
        await response.body?.cancel();
        this.rest(`HTTP ${response.status}`, retryAfter(response));
        return undefined;
      }
      const text = await readText(response, this.facts.maxBytes);
      return text === undefined ? undefined : { status: response.status, json: JSON.parse(text) };
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

/** Undefined where it is longer than allowed: the rest is not read. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
