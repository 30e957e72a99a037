import type { RpcCall } from '../ethereum/json-rpc';
import { missingState } from './missing-state';
import type { Outcome, RpcEndpoint, TransientFailure } from './rpc-endpoint';

/** Methods that nodes may do without. What is said of the others may be meant for one call only: an old block, a plan. */
const OPTIONAL = /^((debug|trace|ots|erigon)_|eth_(getBlockReceipts|createAccessList)$)/;

/** One call on its way through the endpoints of a chain: to each that may have the answer, until one gives it. */
export class RoutedCall {
  #settled: PromiseSettledResult<unknown> | undefined;
  /** Endpoints that answered that they do not have it. */
  readonly #lackedBy = new Set<RpcEndpoint>();
  /** What is said of that. */
  #lack: Error | undefined;

  /** @param name stands for the endpoints in messages */
  constructor(
    readonly call: RpcCall,
    private readonly name: string,
    private readonly endpoints: readonly RpcEndpoint[],
  ) {
    const missing = this.#missingEverywhere();
    if (missing) this.#settled = rejected(missing);
  }

  /** An endpoint may still give the answer. */
  get isOpen(): boolean {
    return this.#settled === undefined && this.#lackedBy.size < this.endpoints.length;
  }

  /** The answer, or what is lacking where no endpoint has it; undefined where none answered. */
  get outcome(): PromiseSettledResult<unknown> | undefined {
    return this.#settled ?? (this.#lack && rejected(this.#lack));
  }

  /** Whether it is open, and no other endpoint is the better one to ask. */
  isFor(endpoint: RpcEndpoint): boolean {
    if (!this.isOpen || this.#lackedBy.has(endpoint)) return false;
    const lacks = (one: RpcEndpoint): boolean =>
      this.#lackedBy.has(one) || one.health.lacks(this.call);
    return !lacks(endpoint) || this.endpoints.every(lacks);
  }

  /** The endpoint cannot be asked for it. */
  lackedAt(endpoint: RpcEndpoint, error: Error): void {
    this.#lackedBy.add(endpoint);
    this.#lack ??= error;
  }

  /** @returns the failure, where the call is still open for one */
  settle(endpoint: RpcEndpoint, outcome: Outcome | undefined): TransientFailure[] {
    if (outcome === undefined) return [];
    if ('transient' in outcome) return [outcome.transient];
    if ('result' in outcome) {
      this.#settled = { status: 'fulfilled', value: outcome.result };
    } else if (endpoint.health.learn(this.call, outcome.error)) {
      this.#lackedBy.add(endpoint);
      this.#lack = missingState(this.name, this.call, outcome.error) ?? outcome.error;
    } else {
      this.#settled = rejected(outcome.error);
    }
    return [];
  }

  /** Where it is known that no endpoint offers the method: asking again would cost a round trip. */
  #missingEverywhere(): Error | undefined {
    const { method } = this.call;
    if (!OPTIONAL.test(method)) return undefined;
    const errors = this.endpoints.map(({ health }) => health.missing(method));
    return errors.every(Boolean) ? errors[0] : undefined;
  }
}

/** An outcome with the reason of a failure. */
export const rejected = (reason: unknown): PromiseRejectedResult => ({
  status: 'rejected',
  reason,
});
