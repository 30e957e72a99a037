import type { RpcCall } from '../ethereum/json-rpc';
import { missingState } from './missing-state';
import type { Outcome, RpcEndpoint, TransientFailure } from './rpc-endpoint';

/** Methods that nodes may omit. For other methods, such an error may concern one call only: an old block, a plan. */
const OPTIONAL = /^((debug|trace|ots|erigon)_|eth_(getBlockReceipts|createAccessList|config)$)/;

/** One call, tried at the endpoints of a chain until one of them answers. */
export class RoutedCall {
  #settled: PromiseSettledResult<unknown> | undefined;
  /** Endpoints that reported the method or state as missing. */
  readonly #endpointsWithout = new Set<RpcEndpoint>();
  /** Error that reports what is missing. */
  #missingError: Error | undefined;

  /** @param name name for the endpoints in messages */
  constructor(
    readonly call: RpcCall,
    private readonly name: string,
    private readonly endpoints: readonly RpcEndpoint[],
  ) {
    const missing = this.#missingEverywhere();
    if (missing) this.#settled = rejected(missing);
  }

  /** Whether an endpoint may still answer. */
  get isOpen(): boolean {
    return this.#settled === undefined && this.#endpointsWithout.size < this.endpoints.length;
  }

  /** The answer, or the error if no endpoint has the data; undefined if no endpoint answered. */
  get outcome(): PromiseSettledResult<unknown> | undefined {
    return this.#settled ?? (this.#missingError && rejected(this.#missingError));
  }

  /** Whether the call is open and no other endpoint is preferable. */
  isFor(endpoint: RpcEndpoint): boolean {
    if (!this.isOpen || this.#endpointsWithout.has(endpoint)) return false;
    const lacks = (one: RpcEndpoint): boolean =>
      this.#endpointsWithout.has(one) || one.health.isProbablyMissing(this.call);
    return !lacks(endpoint) || this.endpoints.every(lacks);
  }

  /** Records that the endpoint cannot answer the call. */
  recordMissing(endpoint: RpcEndpoint, error: Error): void {
    this.#endpointsWithout.add(endpoint);
    this.#missingError ??= error;
  }

  /** @returns the failure, if the call stays open because of it */
  settle(endpoint: RpcEndpoint, outcome: Outcome | undefined): TransientFailure[] {
    if (outcome === undefined) return [];
    if ('transient' in outcome) return [outcome.transient];
    if ('result' in outcome) {
      this.#settled = { status: 'fulfilled', value: outcome.result };
    } else if (endpoint.health.recordMissing(this.call, outcome.error)) {
      this.#endpointsWithout.add(endpoint);
      this.#missingError = missingState(this.name, this.call, outcome.error) ?? outcome.error;
    } else {
      this.#settled = rejected(outcome.error);
    }
    return [];
  }

  /** The error if every endpoint is known to lack the method: asking again would cost a round trip. */
  #missingEverywhere(): Error | undefined {
    const { method } = this.call;
    if (!OPTIONAL.test(method)) return undefined;
    const errors = this.endpoints.map(({ health }) => health.missing(method));
    return errors.every(Boolean) ? errors[0] : undefined;
  }
}

/** An outcome with the reason for a failure. */
export const rejected = (reason: unknown): PromiseRejectedResult => ({
  status: 'rejected',
  reason,
});
