import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { ApiError } from '../../api/errors';
import { startTimeout, timeoutSignal } from '../../api/timeout-signal';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import type { RpcCall, RpcCallOptions, RpcClient } from '../../evm/forms/json-rpc';
import { ChainHeads } from './chain-heads';
import { dispatcherFor } from './dispatcher';
import { heightOf } from './response-location';
import { rejected, RoutedCall } from './routed-call';
import type { Outcome } from './rpc-answers';
import { RpcEndpoint, type Exchange } from './rpc-endpoint';
import { TransientFailure, type EndpointAddress } from './transport';

export interface HttpRpcClientOptions {
  /** Name for the endpoints in messages, such as the slug of a chain. Never a URL. */
  name: string;
  /** Endpoints, in order of preference: URLs (`http:`, `https:`, `ws:`, `wss:`), or URLs with headers. */
  urls: readonly (string | EndpointAddress)[];
  /** The chain id that every endpoint must have; checked at its first use. */
  chainId?: number;
  /** Deadline of a call that has none of its own, retries included. */
  timeoutMs?: number;
  /** How often each failing endpoint is tried. A busy endpoint is tried until the deadline. */
  rounds?: number;
  /** Longest batch in one HTTP request. */
  maxBatch?: number;
  /** False: a method that is missing for one block may be available for another. */
  remembersMissing?: boolean;
  /** Concurrent HTTP requests for each endpoint. */
  connections?: number;
  /** Opens connections to the endpoints, if they are not reachable over this machine's network. */
  connect?: OpenConnection | undefined;
  /** Value of the `User-Agent` header. */
  userAgent?: string;
  /** Receives what each HTTP request came to. */
  onExchange?: (exchange: Exchange) => void;
  now?: () => number;
  /** Jitter, from 0 to 1. */
  random?: () => number;
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4_000;
/** Longest wait for an endpoint that can only better an answer which another one gave. */
const CONFIRM_MS = 5_000;
/** Longest wait for the newest block of each endpoint. */
const HEAD_MS = 2_000;

/**
 * JSON-RPC over HTTP: batches, failover to an endpoint that works or has the data, retries with back-off and jitter, a pace for each
 * endpoint that adapts to its limits, and one deadline for all of it.
 */
export class HttpRpcClient implements RpcClient {
  readonly #name: string;
  readonly #chainId: number | undefined;
  readonly #endpoints: readonly RpcEndpoint[];
  readonly #dispatcher: Dispatcher;
  readonly #heads = new ChainHeads();
  readonly #timeoutMs: number;
  readonly #rounds: number;
  readonly #now: () => number;
  readonly #random: () => number;
  #closed = false;

  constructor(options: HttpRpcClientOptions) {
    this.#name = options.name;
    this.#chainId = options.chainId;
    const now = (this.#now = options.now ?? Date.now);
    const random = (this.#random = options.random ?? Math.random);
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.#rounds = options.rounds ?? 3;
    const { maxBatch = 50, connections = 16, remembersMissing = true, onExchange } = options;
    const { userAgent = 'forklens' } = options;
    this.#dispatcher = dispatcherFor(connections, options.connect);
    this.#endpoints = options.urls.map((address) => {
      const given = typeof address === 'string' ? { url: address } : address;
      return new RpcEndpoint(given, this.#dispatcher, {
        maxBatch,
        connections,
        remembersMissing,
        userAgent,
        now,
        random,
        onExchange,
      });
    });
  }

  /** HTTP requests that the endpoint in use accepts at a time now. */
  get capacity(): number {
    const [first] = this.#inOrder();
    return first === undefined || first.pace.retryAt > this.#now() ? 1 : first.pace.limit;
  }

  /** Calls that the endpoint in use accepts in one request. */
  get batchSize(): number {
    return this.#inOrder()[0]?.maxBatch ?? 1;
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
    const { signal: deadline, clear } = startTimeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    // Each HTTP request adds a listener to the signal: many listeners are not a leak here.
    setMaxListeners(0, signal);
    const work = calls.map((call) => new RoutedCall(call, this.#name, this.#endpoints));
    let last: TransientFailure | undefined;
    try {
      const rounds = this.#endpoints.every(({ health }) => health.isDown) ? 1 : this.#rounds;
      let round = 0;
      while (round < rounds) {
        await this.#pause(round, signal);
        const failures = await this.#tryAll(work, signal);
        last = failures.at(-1) ?? last;
        if (this.#closed || !work.some(({ isOpen }) => isOpen)) break;
        const areBusy = failures.length > 0 && failures.every(({ busy }) => busy);
        if (rounds === 1 || !areBusy) round++;
      }
    } catch (error) {
      if (options.signal?.aborted === true) {
        throw new ApiError('cancelled', `the request to ${this.#name} was cancelled`);
      }
      if (!deadline.aborted) throw error;
      const methods = [...new Set(calls.map((call) => call.method))].join(', ');
      throw new ApiError(
        'timedOut',
        `${this.#name} did not answer ${methods} within ${timeoutMs / 1000} s` +
          (last ? ` (${last.message})` : ''),
      );
    } finally {
      clear();
    }
    return work.map(({ outcome }) => outcome ?? rejected(this.#unreachable(last)));
  }

  /** Closes the connections; calls under way fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const endpoint of this.#endpoints) endpoint.close();
    await this.#dispatcher.destroy();
  }

  /** Reads the chain id again. If it is another one, each endpoint is checked at its next use: another node serves the URL. */
  async recheckChain(): Promise<void> {
    if (this.#chainId === undefined) return;
    const answer = await this.request('eth_chainId', []);
    if (Number(answer) === this.#chainId) return;
    for (const endpoint of this.#endpoints) endpoint.forgetChain();
    this.#heads.clear();
  }

  #unreachable(last: TransientFailure | undefined): ApiError {
    return new ApiError(
      'upstreamUnreachable',
      `no RPC endpoint of ${this.#name} answers (${last?.message ?? 'none is configured'})`,
    );
  }

  /** One pass over the endpoints. @returns why calls are still open */
  async #tryAll(work: readonly RoutedCall[], signal: AbortSignal): Promise<TransientFailure[]> {
    const heads =
      this.#endpoints.length > 1 ? work.filter((one) => one.isOpen && one.asksForHead) : [];
    const failures = await this.#compareHeads(heads, signal);
    for (const endpoint of this.#inOrder()) {
      const open = work.filter(
        (one) => one.isFor(endpoint) && !(one.asksForHead && one.isConfirmed),
      );
      const confirmed = open.filter((one) => one.isConfirmed);
      const others = open.filter((one) => !one.isConfirmed);
      await this.#tryInChunks(endpoint, confirmed, signal, CONFIRM_MS);
      failures.push(...(await this.#tryInChunks(endpoint, others, signal)));
    }
    return failures;
  }

  /** Asks all endpoints for their newest block at once: the highest counts, as a node may lag behind. */
  async #compareHeads(
    work: readonly RoutedCall[],
    signal: AbortSignal,
  ): Promise<TransientFailure[]> {
    if (work.length === 0) return [];
    const ready = this.#inOrder().filter(({ health }) => health.rest === 0);
    const tries = await Promise.all(
      ready.map((endpoint) => this.#tryInChunks(endpoint, work, signal, HEAD_MS)),
    );
    return work.some(({ isOpen }) => isOpen) ? tries.flat() : [];
  }

  async #tryInChunks(
    endpoint: RpcEndpoint,
    work: readonly RoutedCall[],
    signal: AbortSignal,
    waitMs?: number,
  ): Promise<TransientFailure[]> {
    const tries: Promise<TransientFailure[]>[] = [];
    for (let start = 0; start < work.length; start += endpoint.maxBatch) {
      const chunk = work.slice(start, start + endpoint.maxBatch);
      tries.push(this.#try(endpoint, chunk, signal, waitMs));
    }
    return (await Promise.all(tries)).flat();
  }

  /** Rejects only if the signal fires. A failure of the whole request counts for each call. */
  async #try(
    endpoint: RpcEndpoint,
    work: readonly RoutedCall[],
    signal: AbortSignal,
    waitMs?: number,
  ): Promise<TransientFailure[]> {
    const { health, pace } = endpoint;
    const startedAt = await pace.enter(signal);
    health.begin();
    try {
      const outcomes = await this.#exchange(endpoint, work, signal, waitMs);
      this.#noteHeads(endpoint, work, outcomes);
      const failures = work.flatMap((one, index) => one.settle(endpoint, outcomes[index]));
      const busy = failures.some((failure) => failure.busy);
      pace.leave(startedAt, busy ? 'busy' : 'answered');
      if (!busy && outcomes.every(isUseless)) health.failed();
      else health.worked();
      // A node that omits answers may do so because of the length of the batch.
      if (failures.length > 0 && !busy) endpoint.shorten(work.length);
      return failures;
    } catch (error) {
      const failure = failureOf(error);
      pace.leave(startedAt, failure.busy ? 'busy' : 'failed', failure.retryAt);
      if (signal.aborted) {
        health.cancelled();
        throw error;
      }
      if (failure.batchRefused) {
        health.worked();
        endpoint.shorten(work.length);
        return this.#tryInChunks(endpoint, work, signal, waitMs);
      }
      if (failure.busy) health.worked();
      else health.failed();
      if (!(error instanceof ApiError)) return [failure];
      for (const one of work) one.recordUnusable(endpoint, error);
      return [];
    }
  }

  /** @throws TransientFailure; ApiError if the endpoint serves another chain */
  async #exchange(
    endpoint: RpcEndpoint,
    work: readonly RoutedCall[],
    signal: AbortSignal,
    waitMs = this.#timeoutMs,
  ): Promise<readonly Outcome[]> {
    // An endpoint that hangs must leave time for the next one.
    const { length } = this.#endpoints;
    const limitMs = Math.min(waitMs, this.#timeoutMs / length);
    const attempt = length > 1 ? AbortSignal.any([signal, timeoutSignal(limitMs)]) : signal;
    if (this.#chainId !== undefined) {
      const found = await endpoint.chainId(attempt);
      if (found !== undefined && found !== this.#chainId) {
        // The endpoint may be corrected while the service runs.
        endpoint.forgetChain();
        throw new ApiError(
          'upstreamUnreachable',
          `an RPC endpoint of ${this.#name} answers for chain id ${found} instead of ${this.#chainId}; correct its rpcUrls or its chainId in the config file`,
        );
      }
    }
    const outcomes = await endpoint.post(
      work.map(({ call }) => call),
      attempt,
    );
    if (length === 1) return outcomes;
    return Promise.all(
      work.map(({ searchedUpTo }, index) =>
        withReach(endpoint, searchedUpTo, outcomes[index], attempt),
      ),
    );
  }

  /** Records which endpoints lag behind the others. */
  #noteHeads(
    endpoint: RpcEndpoint,
    work: readonly RoutedCall[],
    outcomes: readonly Outcome[],
  ): void {
    if (this.#endpoints.length === 1) return;
    for (const [index, { call }] of work.entries()) {
      const outcome = outcomes[index];
      const isNewest = call.method === 'eth_blockNumber' || call.params[0] === 'latest';
      if (!isNewest || !outcome || !('result' in outcome)) continue;
      const height = heightOf(call, outcome.result);
      if (height !== undefined) endpoint.isLagging = this.#heads.isLagging(height, this.#now());
    }
  }

  /** Working endpoints first, in configured order. Endpoints that asked for a pause are left out if others remain. */
  #inOrder(): RpcEndpoint[] {
    const now = this.#now();
    const ready = this.#endpoints.filter(({ pace }) => pace.retryAt <= now);
    return [...(ready.length > 0 ? ready : this.#endpoints)].sort((a, b) => {
      const [first, second] = [a.health.rest, b.health.rest];
      return first === second ? Number(a.isLagging) - Number(b.isLagging) : first - second;
    });
  }

  /** Pauses between rounds, and while every endpoint asked for time. */
  async #pause(round: number, signal: AbortSignal): Promise<void> {
    const asked = Math.min(...this.#endpoints.map(({ pace }) => pace.retryAt)) - this.#now();
    const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** (round - 1), MAX_BACKOFF_MS);
    const backOff = round === 0 ? 0 : ceiling * (0.5 + this.#random() / 2);
    const wait = Math.max(asked, backOff);
    if (wait > 0) await delay(wait, undefined, { signal, ref: false });
  }
}

/** Whether an endpoint gave no answer to a call, and would probably give none to another. */
const isUseless = (outcome: Outcome): boolean =>
  'transient' in outcome || ('error' in outcome && outcome.meaning === 'refused');

/** A search that ends beyond the newest block of a node finds nothing there, instead of an error. */
async function withReach(
  endpoint: RpcEndpoint,
  upTo: bigint | undefined,
  outcome: Outcome | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  if (outcome === undefined) return { transient: new TransientFailure('an answer is missing') };
  if (upTo === undefined || !('result' in outcome)) return outcome;
  return (await endpoint.reaches(upTo, signal)) ? outcome : { ...outcome, isPartial: true };
}

function failureOf(error: unknown): TransientFailure {
  if (error instanceof TransientFailure) return error;
  return new TransientFailure(error instanceof ApiError ? error.message : 'no answer in time');
}
