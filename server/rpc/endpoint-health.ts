import type { RpcError } from '../ethereum/json-rpc';
import { isMethodMissing, type RpcCall } from '../ethereum/json-rpc';
import { blockNumberOf, isMissingState } from './missing-state';

const FIRST_REST_MS = 10_000;
const DOWN_MS = 10_000;
const MAX_REST_MS = 120_000;
/** How long what an endpoint lacked is remembered: a provider's plan may change. */
const LACK_MS = 10 * 60_000;

/**
 * What is known of an endpoint. One that failed rests, for longer with every failure in a row (a circuit breaker); then one request tries
 * it again while the others still go elsewhere. So the preferred endpoint gets its place back by itself.
 */
export class EndpointHealth {
  #failures = 0;
  #failingSince = 0;
  #restingUntil = 0;
  #onTrial = false;
  /** Methods that are not offered: what it answered, and until when that counts, in Unix milliseconds. */
  readonly #methodsMissing = new Map<string, { error: RpcError; until: number }>();
  /** The state of blocks up to this one was missing … */
  #stateMissingUpTo = -1n;
  /** … until then. */
  #stateMissingUntil = 0;

  /** @param remembersLacks whether a method that it once did not offer is taken for missing the next time */
  constructor(
    private readonly now: () => number,
    private readonly remembersLacks = true,
  ) {}

  /** 0: ready. Otherwise the later, the less it should be called. */
  get rest(): number {
    if (this.#failures === 0) return 0;
    if (this.#onTrial) return Infinity;
    return this.#restingUntil > this.now() ? this.#restingUntil : 0;
  }

  /** It has failed for so long that trying again at once will not help. */
  get isDown(): boolean {
    return this.#failures > 1 && this.now() - this.#failingSince >= DOWN_MS;
  }

  begin(): void {
    if (this.#failures > 0) this.#onTrial = true;
  }

  /** The request was given up: it tells nothing. */
  givenUp(): void {
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

  /** Remembers what an answered error tells of what the endpoint does not have. @returns whether it does */
  learn(call: RpcCall, error: RpcError): boolean {
    if (isMethodMissing(error)) {
      if (this.remembersLacks) {
        this.#methodsMissing.set(call.method, { error, until: this.now() + LACK_MS });
      }
      return true;
    }
    if (!isMissingState(error)) return false;
    const block = blockNumberOf(call);
    // A node that lags behind the head answers so as well, and has all that is older.
    if (block !== undefined && !/header not found/i.test(error.message)) {
      if (block > this.#stateMissingUpTo) this.#stateMissingUpTo = block;
      this.#stateMissingUntil = this.now() + LACK_MS;
    }
    return true;
  }

  /** What it answered to a method that it does not offer; undefined where that is not known. */
  missing(method: string): RpcError | undefined {
    const found = this.#methodsMissing.get(method);
    return found && found.until > this.now() ? found.error : undefined;
  }

  /** Whether a call will probably find nothing here. */
  lacks(call: RpcCall): boolean {
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
