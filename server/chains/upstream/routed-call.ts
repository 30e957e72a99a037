import { ApiError } from '../../api/errors';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { missingState } from './missing-state';
import { heightOf } from './response-location';
import type { NodeFailure, Outcome } from './rpc-answers';
import type { RpcEndpoint } from './rpc-endpoint';
import type { TransientFailure } from './transport';

/** Methods that nodes may omit. For other methods, such an error may concern one call only: an old block, a plan. */
const OPTIONAL = /^((debug|trace|ots|erigon)_|eth_(getBlockReceipts|createAccessList|config)$)/;
const MOVING_TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized']);
/** Which of several errors is reported: the lowest. */
const RANKS: Readonly<Record<NodeFailure['meaning'], number>> = {
  executed: 0,
  invalid: 0,
  tooLarge: 1,
  missingState: 2,
  missingData: 3,
  missingMethod: 4,
  refused: 5,
  unknown: 6,
};

/** An answer that counts if no other endpoint has a better one. */
type Provisional =
  { value: unknown; isFinal: true } | { error: Error; rank: number; isFinal: boolean };

/** One call, tried at the endpoints of a chain until one of them answers. */
export class RoutedCall {
  #settled: PromiseSettledResult<unknown> | undefined;
  /** Endpoints that reported the method or data as missing, or that do not answer the call for another reason of their own. */
  readonly #endpointsWithout = new Set<RpcEndpoint>();
  #provisional: Provisional | undefined;

  /** @param name name for the endpoints in messages */
  constructor(
    readonly call: RpcCall,
    private readonly name: string,
    private readonly endpoints: readonly RpcEndpoint[],
  ) {
    const missing = this.#missingEverywhere();
    if (missing) this.#settled = rejected(missing);
  }

  /** Whether another attempt may find an answer. */
  get isOpen(): boolean {
    return this.#isUnsettled && this.#provisional?.isFinal !== true;
  }

  /** The answer, or the error if no endpoint has the data; undefined if no endpoint answered. */
  get outcome(): PromiseSettledResult<unknown> | undefined {
    if (this.#settled || !this.#provisional) return this.#settled;
    return 'value' in this.#provisional
      ? { status: 'fulfilled', value: this.#provisional.value }
      : rejected(this.#provisional.error);
  }

  /** Whether the call asks for the newest block, of which a node that lags behind knows an older one. */
  get asksForHead(): boolean {
    const { method, params } = this.call;
    return (
      method === 'eth_blockNumber' ||
      (method === 'eth_getBlockByNumber' && MOVING_TAGS.has(params[0]))
    );
  }

  /** Whether an endpoint answered, and the others are only asked whether they have a better answer. */
  get isConfirmed(): boolean {
    return this.#provisional !== undefined && 'value' in this.#provisional;
  }

  /** The block up to which a search by number reads. */
  get searchedUpTo(): bigint | undefined {
    const { method, params } = this.call;
    if (method !== 'eth_getLogs' && method !== 'trace_filter') return undefined;
    const { toBlock } = (params[0] ?? {}) as { toBlock?: unknown };
    return typeof toBlock === 'string' && /^0x[0-9a-f]{1,16}$/i.test(toBlock)
      ? BigInt(toBlock)
      : undefined;
  }

  get #isUnsettled(): boolean {
    return this.#settled === undefined && this.#endpointsWithout.size < this.endpoints.length;
  }

  /** Whether the call is open and no other endpoint is preferable. */
  isFor(endpoint: RpcEndpoint): boolean {
    if (!this.#isUnsettled || this.#endpointsWithout.has(endpoint)) return false;
    if (this.isConfirmed && endpoint.health.rest > 0) return false;
    const lacks = (one: RpcEndpoint): boolean =>
      this.#endpointsWithout.has(one) || one.health.isProbablyMissing(this.call);
    return !lacks(endpoint) || this.endpoints.every(lacks);
  }

  /** Records that the endpoint cannot answer any call. */
  recordUnusable(endpoint: RpcEndpoint, error: Error): void {
    this.#endpointsWithout.add(endpoint);
    this.#keepError(error, RANKS.refused, false);
  }

  /** @returns the failure, if the call stays open because of it */
  settle(endpoint: RpcEndpoint, outcome: Outcome | undefined): TransientFailure[] {
    if (outcome === undefined) return [];
    if ('transient' in outcome) return [outcome.transient];
    if ('result' in outcome) this.#take(endpoint, outcome);
    else this.#refuse(endpoint, outcome);
    return [];
  }

  #take(
    endpoint: RpcEndpoint,
    { result, isPartial = false }: { result: unknown; isPartial?: boolean },
  ): void {
    const isLast = this.endpoints.length === 1;
    if (isLast || !(isPartial || this.asksForHead || isAbsent(this.call, result))) {
      this.#settled = { status: 'fulfilled', value: result };
      return;
    }
    this.#endpointsWithout.add(endpoint);
    const kept = this.#provisional;
    const isBetter = kept === undefined || !('value' in kept) || this.#isBetter(result, kept.value);
    if (isBetter) this.#provisional = { value: result, isFinal: true };
  }

  #isBetter(value: unknown, kept: unknown): boolean {
    if (!this.asksForHead) return isEmpty(kept) && !isEmpty(value);
    return (heightOf(this.call, value) ?? -1n) > (heightOf(this.call, kept) ?? -1n);
  }

  #refuse(endpoint: RpcEndpoint, failure: NodeFailure): void {
    const { error, meaning } = failure;
    if (meaning === 'executed' || meaning === 'invalid') {
      this.#settled = rejected(error);
      return;
    }
    this.#endpointsWithout.add(endpoint);
    endpoint.health.recordMissing(this.call, failure);
    const shown =
      meaning === 'missingState'
        ? (missingState(this.name, this.call, error) ?? error)
        : meaning === 'refused'
          ? this.#refusal(error.message)
          : error;
    // Data that a node does not know may not exist: the others are asked once.
    this.#keepError(shown, RANKS[meaning], meaning === 'tooLarge' || meaning === 'missingData');
  }

  #refusal(message: string): ApiError {
    return new ApiError(
      'upstreamUnreachable',
      `an RPC endpoint of ${this.name} refuses ${this.call.method}: ${message}; check its key and its plan`,
    );
  }

  #keepError(error: Error, rank: number, isFinal: boolean): void {
    const kept = this.#provisional;
    if (kept && ('value' in kept || kept.rank <= rank)) return;
    this.#provisional = { error, rank, isFinal };
  }

  /** The error if every endpoint is known to lack the method: asking again would cost a round trip. */
  #missingEverywhere(): Error | undefined {
    const { method } = this.call;
    if (!OPTIONAL.test(method)) return undefined;
    const errors = this.endpoints.map(({ health }) => health.missing(method));
    return errors.every(Boolean) ? errors[0] : undefined;
  }
}

/** Whether an answer says that the node does not know what was asked, or not yet. */
function isAbsent({ method }: RpcCall, result: unknown): boolean {
  if (isEmpty(result)) return true;
  if (method === 'trace_transaction') return Array.isArray(result) && result.length === 0;
  return method === 'eth_getTransactionByHash' && isPending(result);
}

const isPending = (transaction: unknown): boolean =>
  ((transaction as { blockNumber?: unknown }).blockNumber ?? null) === null;

const isEmpty = (value: unknown): boolean => value === null || value === undefined;

/** An outcome with the reason for a failure. */
export const rejected = (reason: unknown): PromiseRejectedResult => ({
  status: 'rejected',
  reason,
});
