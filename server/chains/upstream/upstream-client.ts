import { ApiError } from '../../api/errors';
import {
  settledOneByOne,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { onAbort } from '../../kernel/async/on-abort';
import { settled } from '../../kernel/async/settled';
import type { AnswerCache } from './answer-cache';
import { completed, isKeepable, requireReadable } from './check-response';
import { answerLocation, callText, heightIn, sealedLocation } from './response-location';
import { CallQueue } from './call-queue';
import { ChainHorizon } from './chain-horizon';
import type { HttpRpcClient } from './http-rpc-client';

export interface UpstreamClientOptions {
  /** Slug of the chain. */
  chain: string;
  http: HttpRpcClient;
  cache: AnswerCache;
  now?: () => number;
}

/** A call with its own deadline, and the number of callers that wait for it. */
interface LongCall {
  answer: Promise<unknown>;
  end: AbortController;
  waiting: number;
}

/**
 * The client for a chain, which engines and the service share. Final answers are requested once and kept. Equal calls at the same time
 * share one answer. Calls at the same time are sent as one batch. Answers are shared: do not change them.
 */
export class UpstreamClient implements RpcClient {
  readonly #chain: string;
  readonly #http: HttpRpcClient;
  readonly #cache: AnswerCache;
  readonly #queue: CallQueue;
  readonly #horizon: ChainHorizon;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #longRunning = new Map<string, LongCall>();

  constructor({ chain, http, cache, now = Date.now }: UpstreamClientOptions) {
    this.#chain = chain;
    this.#http = http;
    this.#cache = cache;
    this.#queue = new CallQueue(http);
    this.#horizon = new ChainHorizon(chain, (call) => this.#queue.send(call), cache, now);
  }

  request(
    method: string,
    params: readonly unknown[],
    { signal, timeoutMs }: RpcCallOptions = {},
  ): Promise<unknown> {
    const call = { method, params };
    // A call with its own deadline may be long, such as a trace, so it is not sent in a batch.
    if (timeoutMs !== undefined) return this.#long(call, timeoutMs, signal);
    const answer = this.#shared(call);
    return signal ? this.#unlessAborted(answer, signal) : answer;
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls, options);
  }

  /**
   * Checks at once whether the endpoints still serve the same chain: a private chain may have restarted, also with another chain id.
   * @param maxAgeMs an earlier check that is not older is enough
   * @returns whether kept answers were of another chain, and have been removed. Never rejects
   */
  async recheck(maxAgeMs: number): Promise<boolean> {
    if (!this.#horizon.isChecked) return false;
    const [wasReplaced] = await Promise.all([
      this.#horizon.recheck(maxAgeMs),
      maxAgeMs === 0 ? this.#http.recheckChain().catch(() => undefined) : undefined,
    ]);
    return wasReplaced;
  }

  /**
   * @param call names its block by the hash
   * @returns undefined where no answer is kept. Never rejects
   */
  async keptAnswer(call: RpcCall): Promise<unknown> {
    const location = sealedLocation(call);
    // The first check tells whether kept answers are of another chain, and removes them.
    if (!location || (await this.#horizon.newest(0n)) === undefined) return undefined;
    return this.#cache.get(this.#chain, location).catch(() => undefined);
  }

  /** Keeps the answer to a call that names its block by the hash: the hash covers it, whichever chain the block ends up on. */
  keepAnswer(call: RpcCall, answer: unknown): void {
    const location = sealedLocation(call);
    if (location && isKeepable(call, answer)) void this.#cache.put(this.#chain, location, answer);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #shared(call: RpcCall): Promise<unknown> {
    const text = callText(call);
    let answer = this.#running.get(text);
    if (!answer) {
      const send = (): Promise<unknown> => this.#queue.send(call);
      answer = this.#answer(call, send).finally(() => this.#running.delete(text));
      this.#running.set(text, answer);
    }
    return answer;
  }

  /** Also shared. The request is cancelled when the last waiting caller cancels. */
  #long(call: RpcCall, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const key = `${timeoutMs} ${callText(call)}`;
    let long = this.#longRunning.get(key);
    if (!long) {
      const end = new AbortController();
      const options = { timeoutMs, signal: end.signal };
      const answer = this.#answer(call, () =>
        this.#http.request(call.method, call.params, options),
      ).finally(() => this.#longRunning.delete(key));
      long = { answer, end, waiting: 0 };
      this.#longRunning.set(key, long);
    }
    const { answer, end } = long;
    long.waiting++;
    if (!signal) return answer;
    return this.#unlessAborted(answer, signal).catch((error: unknown) => {
      if (--long.waiting === 0) {
        this.#longRunning.delete(key);
        end.abort();
      }
      throw error;
    });
  }

  /** @param send calls the node, not the cache */
  async #answer(call: RpcCall, send: () => Promise<unknown>): Promise<unknown> {
    const ask = async (): Promise<unknown> => {
      const answer = await send();
      requireReadable(this.#chain, call, answer);
      return completed(call, answer);
    };
    const location = answerLocation(call);
    if (!location) return ask();
    // eslint-disable-next-line promises/handled-at-once -- it never rejects
    const finality = this.#horizon.newest(location.height);
    // The request starts at once if its answer cannot be kept, because it need not wait for the newest final block.
    const early = (await this.#horizon.isCacheable(location.height)) ? undefined : settled(ask());
    const newest = await finality;
    const kept = newest === undefined ? undefined : await this.#cache.get(this.#chain, location);
    if (kept !== undefined) return kept;
    const answer = await (early?.() ?? ask());
    const height = location.height ?? heightIn(answer);
    // null: not found yet, or only on another endpoint.
    if (answer === null || height === undefined || newest === undefined) return answer;
    if (height <= newest && isKeepable(call, answer)) {
      void this.#cache.put(this.#chain, location, answer);
    }
    return answer;
  }

  /** Cancels for this caller only: others may wait for the same answer. */
  #unlessAborted(answer: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, () => {
        reject(new ApiError('cancelled', `the request to chain ${this.#chain} was cancelled`));
      });
      answer.then(resolve, reject).finally(stop);
    });
  }
}
