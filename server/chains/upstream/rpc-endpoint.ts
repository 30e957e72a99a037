import type { Dispatcher } from 'undici';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { EndpointHealth } from './endpoint-health';
import { EndpointPace } from './endpoint-pace';
import { HttpTransport } from './http-transport';
import { redactorOf } from './redact';
import { heightOf } from './response-location';
import { outcomesOf, type Outcome } from './rpc-answers';
import { SocketTransport } from './socket-transport';
import type { EndpointAddress, RpcMessage, Transport } from './transport';

export interface RpcEndpointOptions {
  /** Longest batch in one request, initially. */
  maxBatch: number;
  /** Concurrent requests, at most. */
  connections: number;
  /** A method that was missing once counts as missing for a while. */
  remembersMissing: boolean;
  /** Value of the `User-Agent` header. */
  userAgent: string;
  now: () => number;
  /** Jitter, from 0 to 1. */
  random: () => number;
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** What one request came to. */
export interface Exchange {
  /** JSON-RPC calls in the request. */
  calls: number;
  /** Calls without a usable answer. */
  failed: number;
  seconds: number;
}

/** How long a reduced batch size is kept before it is doubled again: a provider's plan may change. */
const BATCH_RETRY_MS = 10 * 60_000;

/** One URL that accepts JSON-RPC over HTTP POST or a WebSocket. The URL and its headers never leave this class. */
export class RpcEndpoint {
  readonly #transport: Transport;
  readonly #redact: (text: string) => string;
  readonly health: EndpointHealth;
  readonly pace: EndpointPace;
  /** Whether its newest block was known from another endpoint for a while. */
  isLagging = false;
  /** Longest batch that the endpoint is known to accept. */
  #learnedBatch: number;
  /** When `#learnedBatch` was set, in Unix milliseconds. */
  #batchLearnedAt = 0;
  #chainId: Promise<number | undefined> | undefined;
  /** Highest block that the endpoint has mentioned. */
  #head = -1n;
  #nextId = 0;

  constructor(
    { url, headers = {} }: EndpointAddress,
    dispatcher: Dispatcher,
    private readonly options: RpcEndpointOptions,
  ) {
    const parsed = new URL(url);
    this.#redact = redactorOf(parsed, Object.values(headers));
    const sent = { 'user-agent': options.userAgent, ...headers };
    this.#transport = /^wss?:$/.test(parsed.protocol)
      ? new SocketTransport(parsed, sent, dispatcher)
      : new HttpTransport(parsed, sent, dispatcher);
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

  /** The node at the URL may be replaced by another. */
  forgetChain(): void {
    this.#chainId = undefined;
    this.#head = -1n;
  }

  /**
   * Whether the endpoint has a block with this number. Its newest block is requested if it is not known to be as high.
   * @returns true if the endpoint does not report its newest block
   * @throws TransientFailure
   */
  async reaches(number: bigint, signal: AbortSignal): Promise<boolean> {
    if (number <= this.#head) return true;
    const [outcome] = await this.post([{ method: 'eth_blockNumber', params: [] }], signal);
    return !outcome || !('result' in outcome) || number <= this.#head;
  }

  async #askChainId(signal: AbortSignal): Promise<number | undefined> {
    const [outcome] = await this.post([{ method: 'eth_chainId', params: [] }], signal);
    if (outcome && 'transient' in outcome) throw outcome.transient;
    if (!outcome || 'error' in outcome) return undefined;
    const { result } = outcome;
    return typeof result === 'string' && /^0x[0-9a-f]+$/i.test(result) ? Number(result) : undefined;
  }

  /**
   * Sends the calls as one request.
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

  close(): void {
    this.#transport.close();
  }

  async #post(calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> {
    const firstId = this.#nextId;
    // Answers over a WebSocket are matched by their ids.
    this.#nextId = (firstId + calls.length) % Number.MAX_SAFE_INTEGER;
    const messages = calls.map(({ method, params }, index): RpcMessage => ({
      jsonrpc: '2.0',
      id: firstId + index,
      method,
      params,
    }));
    const reply = await this.#transport.send(messages, signal);
    const outcomes = outcomesOf(calls, firstId, reply, this.#redact, this.options.now());
    for (const [index, outcome] of outcomes.entries()) {
      const height = 'result' in outcome ? heightOf(calls[index], outcome.result) : undefined;
      if (height !== undefined && height > this.#head) this.#head = height;
    }
    return outcomes;
  }
}

const isTimeLimit = (reason: unknown): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';
