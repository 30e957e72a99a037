import { ApiError } from '../api/errors';
import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';
import { onAbort } from '../ethereum/on-abort';
import { settled } from '../settled';
import type { AnswerCache } from './answer-cache';
import { isKeepable, requireReadable } from './answer-form';
import { answerPlace, callText, heightIn } from './answer-place';
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

/** One with a deadline, and how many wait for it. */
interface LongCall {
  answer: Promise<unknown>;
  end: AbortController;
  waiting: number;
}

/**
 * The one way to a chain, for engines and for the service. What never changes is asked once and kept; who asks the same at the same time shares the
 * answer; what is asked at the same time goes out as one batch. Answers are shared: not to be changed.
 */
export class UpstreamClient implements RpcClient {
  readonly #chain: string;
  readonly #http: HttpRpcClient;
  readonly #cache: AnswerCache;
  readonly #queue: CallQueue;
  readonly #horizon: ChainHorizon;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #longUnderWay = new Map<string, LongCall>();

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
    // With a deadline of its own it is a long one, which must hold up no batch: a trace.
    if (timeoutMs !== undefined) return this.#long(call, timeoutMs, signal);
    const answer = this.#shared(call);
    return signal ? this.#unlessAborted(answer, signal) : answer;
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(
      calls.map(({ method, params }) => this.request(method, params, options)),
    );
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #shared(call: RpcCall): Promise<unknown> {
    const text = callText(call);
    let answer = this.#underWay.get(text);
    if (!answer) {
      const send = (): Promise<unknown> => this.#queue.send(call);
      answer = this.#answer(call, send).finally(() => this.#underWay.delete(text));
      this.#underWay.set(text, answer);
    }
    return answer;
  }

  /** Shared as well; the node is let go when the last of those who wait goes. */
  #long(call: RpcCall, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const key = `${timeoutMs} ${callText(call)}`;
    let long = this.#longUnderWay.get(key);
    if (!long) {
      const end = new AbortController();
      const options = { timeoutMs, signal: end.signal };
      const answer = this.#answer(call, () =>
        this.#http.request(call.method, call.params, options),
      ).finally(() => this.#longUnderWay.delete(key));
      long = { answer, end, waiting: 0 };
      this.#longUnderWay.set(key, long);
    }
    const { answer, end } = long;
    long.waiting++;
    if (!signal) return answer;
    return this.#unlessAborted(answer, signal).catch((error: unknown) => {
      if (--long.waiting === 0) {
        this.#longUnderWay.delete(key);
        end.abort();
      }
      throw error;
    });
  }

  /** @param send asks the chain itself */
  async #answer(call: RpcCall, send: () => Promise<unknown>): Promise<unknown> {
    const ask = async (): Promise<unknown> => {
      const answer = await send();
      requireReadable(this.#chain, call, answer);
      return answer;
    };
    const place = answerPlace(call);
    if (!place) return ask();
    const finality = this.#horizon.newest(place.height);
    // What cannot be kept need not wait until it is known what is final.
    const early = (await this.#horizon.mayBeKept(place.height)) ? undefined : settled(ask());
    const newest = await finality;
    const kept = newest === undefined ? undefined : await this.#cache.get(this.#chain, place);
    if (kept !== undefined) return kept;
    const answer = await (early?.() ?? ask());
    const height = place.height ?? heightIn(answer);
    // null: not there yet, or on another endpoint only.
    if (answer === null || height === undefined || newest === undefined) return answer;
    if (height <= newest && isKeepable(call, answer)) {
      void this.#cache.put(this.#chain, place, answer);
    }
    return answer;
  }

  /** Others may wait for the same answer: only this caller goes. */
  #unlessAborted(answer: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, () => {
        reject(new ApiError('cancelled', `the request to chain ${this.#chain} was cancelled`));
      });
      answer.then(resolve, reject).finally(stop);
    });
  }
}
