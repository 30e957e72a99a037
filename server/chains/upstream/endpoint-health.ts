import type { RpcError } from '../../evm/forms/json-rpc';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { blockNumberOf } from './missing-state';
import type { NodeFailure } from './rpc-answers';

const FIRST_REST_MS = 10_000;
const DOWN_MS = 10_000;
const MAX_REST_MS = 120_000;
/** How long a missing method or missing state is remembered: a provider's plan may change. */
const MISSING_MS = 10 * 60_000;

/**
 * Health of an endpoint: a circuit breaker. After a failure the endpoint rests, longer with each consecutive failure. Then one request
 * tries it while the others still use other endpoints. The preferred endpoint therefore returns to use automatically.
 */
export class EndpointHealth {
  #failures = 0;
  #failingSince = 0;
  #restingUntil = 0;
  #onTrial = false;
  /** Methods that the endpoint does not offer: its error, and until when it counts, in Unix milliseconds. */
  readonly #methodsMissing = new Map<string, { error: RpcError; until: number }>();
  /** Highest block whose state was missing. */
  #stateMissingUpTo = -1n;
  /** Until when `#stateMissingUpTo` counts, in Unix milliseconds. */
  #stateMissingUntil = 0;

  /** @param remembersMissing whether a method that was missing once counts as missing in later calls */
  constructor(
    private readonly now: () => number,
    private readonly remembersMissing = true,
  ) {}

  /** 0: ready. A greater value means a lower priority. */
  get rest(): number {
    if (this.#failures === 0) return 0;
    if (this.#onTrial) return Infinity;
    return this.#restingUntil > this.now() ? this.#restingUntil : 0;
  }

  /** The endpoint has failed for so long that an immediate retry will not help. */
  get isDown(): boolean {
    return this.#failures > 1 && this.now() - this.#failingSince >= DOWN_MS;
  }

  begin(): void {
    if (this.#failures > 0) this.#onTrial = true;
  }

  /** Records a cancelled request, which says nothing about the endpoint's health. */
  cancelled(): void {
    this.#onTrial = false;
  }

  worked(): void {
    this.#failures = 0;
    this.#onTrial = false;
  }

  failed(): void {
    this.#onTrial = false;
    const rest = Math.min(FIRST_REST_MS * 2 ** this.#failures, MAX_REST_MS);
    if (this.#failures++ === 0) this.#failingSince = this.now();
    this.#restingUntil = this.now() + rest;
  }

  /** Records a method or state that an error reports as missing. */
  recordMissing(call: RpcCall, { error, meaning }: NodeFailure): void {
    if (meaning === 'missingMethod' && this.remembersMissing) {
      this.#methodsMissing.set(call.method, { error, until: this.now() + MISSING_MS });
    }
    if (meaning !== 'missingState') return;
    const block = blockNumberOf(call);
    // A node that lags behind the head also answers "header not found", but has the older state.
    if (block !== undefined && !/header not found/i.test(error.message)) {
      if (block > this.#stateMissingUpTo) this.#stateMissingUpTo = block;
      this.#stateMissingUntil = this.now() + MISSING_MS;
    }
  }

  /** The error with which the endpoint reported the method as missing; undefined if none is known. */
  missing(method: string): RpcError | undefined {
    const found = this.#methodsMissing.get(method);
    return found && found.until > this.now() ? found.error : undefined;
  }

  /** Whether the endpoint probably lacks the answer to a call. */
  isProbablyMissing(call: RpcCall): boolean {
    if (this.missing(call.method)) return true;
    if (this.#stateMissingUntil <= this.now() || !READS_STATE.has(call.method)) return false;
    const block = blockNumberOf(call);
    return block !== undefined && block <= this.#stateMissingUpTo;
  }
}

const READS_STATE = new Set([
  'eth_getBalance',
  'eth_getCode',
  'eth_getTransactionCount',
  'eth_getStorageAt',
  'eth_getProof',
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
]);
