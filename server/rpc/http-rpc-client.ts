import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { ApiError } from '../api/errors';
import type { RpcCall, RpcCallOptions, RpcClient } from '../ethereum/json-rpc';
import { missingState } from './missing-state';
import { RpcEndpoint, TransientFailure, type Outcome } from './rpc-endpoint';

export interface HttpRpcClientOptions {
  /** Stands for the endpoints in messages: the slug of a chain. Never a URL. */
  name: string;
  /** Tried in this order. */
  urls: readonly string[];
  /** Deadline of a call that names none, retries included. */
  timeoutMs?: number;
  /** Times that every endpoint is tried. */
  rounds?: number;
  /** Longest batch that is sent as one HTTP request. */
  maxBatch?: number;
  /** HTTP requests under way at a time, for each endpoint. */
  connections?: number;
  now?: () => number;
  /** Jitter, from 0 to 1. */
  random?: () => number;
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4_000;
/** How long an endpoint that failed stands behind the others. */
const REST_MS = 10_000;

/** JSON-RPC over HTTP with failover, batches, deadlines, and retries with full-jitter back-off. */
export class HttpRpcClient implements RpcClient {
  readonly #name: string;
  readonly #endpoints: readonly RpcEndpoint[];
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  readonly #rounds: number;
  readonly #maxBatch: number;
  readonly #now: () => number;
  readonly #random: () => number;

  constructor(options: HttpRpcClientOptions) {
    this.#name = options.name;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.#rounds = options.rounds ?? 3;
    this.#maxBatch = options.maxBatch ?? 50;
    // Deadlines are the caller's: undici's own 300 s limits would cut a long trace.
    this.#agent = new Agent({
      connections: options.connections ?? 16,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#endpoints = options.urls.map((url) => new RpcEndpoint(url, this.#agent, this.#now));
  }

  async request(
    method: string,
    params: readonly unknown[],
    options: RpcCallOptions = {},
  ): Promise<unknown> {
    const [outcome] = await this.requestAll([{ method, params }], options);
    if (outcome?.status === 'fulfilled') return outcome.value;
    throw outcome?.reason;
  }

  async requestAll(
    calls: readonly RpcCall[],
    options: RpcCallOptions = {},
  ): Promise<PromiseSettledResult<unknown>[]> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    // Each HTTP request listens to it: that many are no leak.
    setMaxListeners(0, signal);
    const chunks: RpcCall[][] = [];
    for (let start = 0; start < calls.length; start += this.#maxBatch) {
      chunks.push(calls.slice(start, start + this.#maxBatch));
    }
    try {
      return (await Promise.all(chunks.map((chunk) => this.#settle(chunk, signal)))).flat();
    } catch (error) {
      if (options.signal?.aborted === true) {
        throw new ApiError('cancelled', `the request to ${this.#name} was cancelled`);
      }
      if (!deadline.aborted) throw error;
      const methods = [...new Set(calls.map((call) => call.method))].join(', ');
      throw new ApiError(
        'timedOut',
        `${this.#name} did not answer ${methods} within ${timeoutMs / 1000} s`,
      );
    }
  }

  /** Ends its connections; calls under way fail. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #settle(
    calls: readonly RpcCall[],
    signal: AbortSignal,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const settled: (PromiseSettledResult<unknown> | undefined)[] = calls.map(() => undefined);
    let last: TransientFailure | undefined;
    for (let round = 0; round < this.#rounds && settled.includes(undefined); round++) {
      await this.#pause(round, signal);
      for (const endpoint of this.#inOrder()) {
        const open = calls.flatMap((call, index) => (settled[index] ? [] : [{ call, index }]));
        if (open.length === 0) break;
        const outcomes = await this.#try(
          endpoint,
          open.map(({ call }) => call),
          signal,
        );
        for (const [i, { call, index }] of open.entries()) {
          const outcome = outcomes[i];
          if (outcome === undefined) continue;
          if ('transient' in outcome) last = outcome.transient;
          else settled[index] = this.#settled(call, outcome);
        }
      }
    }
    const unreachable = new ApiError(
      'upstreamUnreachable',
      `no RPC endpoint of ${this.#name} answers (${last?.message ?? 'none is configured'})`,
    );
    return settled.map((one) => one ?? { status: 'rejected', reason: unreachable });
  }

  #settled(
    call: RpcCall,
    outcome: Exclude<Outcome, { transient: unknown }>,
  ): PromiseSettledResult<unknown> {
    return 'result' in outcome
      ? { status: 'fulfilled', value: outcome.result }
      : {
          status: 'rejected',
          reason: missingState(this.#name, call, outcome.error) ?? outcome.error,
        };
  }

  /** Never rejects but for the signal: what failed as a whole failed for each call. */
  async #try(
    endpoint: RpcEndpoint,
    calls: readonly RpcCall[],
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    if (!endpoint.batches && calls.length > 1) {
      return (await Promise.all(calls.map((call) => this.#try(endpoint, [call], signal)))).flat();
    }
    // One endpoint that hangs must leave time for the next.
    const attempt =
      this.#endpoints.length > 1
        ? AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs / this.#endpoints.length)])
        : signal;
    try {
      const outcomes = await endpoint.post(calls, attempt);
      const busy = outcomes.find((outcome) => 'transient' in outcome);
      endpoint.restingUntil = busy ? this.#now() + REST_MS : 0;
      return outcomes;
    } catch (error) {
      signal.throwIfAborted();
      const failure =
        error instanceof TransientFailure ? error : new TransientFailure('no answer in time');
      if (failure.batchRefused) {
        endpoint.batches = false;
        return this.#try(endpoint, calls, signal);
      }
      endpoint.restingUntil = failure.retryAt ?? this.#now() + REST_MS;
      endpoint.retryAt = failure.retryAt ?? 0;
      return calls.map(() => ({ transient: failure }));
    }
  }

  /** Endpoints that work first; those that asked for a pause not at all while another is left. */
  #inOrder(): RpcEndpoint[] {
    const now = this.#now();
    const ready = this.#endpoints.filter((endpoint) => endpoint.retryAt <= now);
    return [...(ready.length > 0 ? ready : this.#endpoints)].sort(
      (a, b) => Math.max(a.restingUntil, now) - Math.max(b.restingUntil, now),
    );
  }

  /** Between rounds, and wherever every endpoint asked for time. */
  async #pause(round: number, signal: AbortSignal): Promise<void> {
    const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** round, MAX_BACKOFF_MS);
    const backOff = round === 0 ? 0 : ceiling * (0.5 + this.#random() / 2);
    const asked = Math.min(...this.#endpoints.map((endpoint) => endpoint.retryAt)) - this.#now();
    if (Math.max(asked, backOff) > 0) {
      await delay(Math.max(asked, backOff), undefined, { signal });
    }
  }
}
