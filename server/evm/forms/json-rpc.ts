import { shown } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import { meaningOf } from './endpoint-errors';

/** Method and parameters of one JSON-RPC call. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcCallOptions {
  signal?: AbortSignal | undefined;
  /** Time limit for the answer, including retries. */
  timeoutMs?: number;
}

/** An error object from a node (JSON-RPC 2.0 §5.1, EIP-1474). `message` never contains an endpoint's URL. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** EIP-1474: a parameter that the method does not accept. @param accepted as a noun phrase */
export const invalidParams = (name: string, value: unknown, accepted: string): RpcError =>
  new RpcError(RPC_CODES.invalidParams, `${name} is ${shown(value)}; accepted: ${accepted}`);

/** Whether the node does not support the method (-32601, or a provider's own wording of it). */
export const isMethodMissing = (error: unknown): boolean =>
  error instanceof RpcError && meaningOf(error) === 'missingMethod';

/**
 * A client of a JSON-RPC node. Both methods reject with `RpcError` if the node returns an error, with
 * `ApiError` `upstreamUnreachable` or `timedOut` if it does not answer.
 */
export interface RpcClient {
  request(method: string, params: readonly unknown[], options?: RpcCallOptions): Promise<unknown>;
  /**
   * One result or error per call, in the order of the calls; sent in as few HTTP requests as the node allows. An engine executes a list with
   * a change in its order. A chain's node may answer the calls in any order.
   */
  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]>;
}

/** `requestAll` of a client whose calls go out one by one. */
export const settledOneByOne = (
  client: Pick<RpcClient, 'request'>,
  calls: readonly RpcCall[],
  options?: RpcCallOptions,
): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(calls.map(({ method, params }) => client.request(method, params, options)));

/**
 * As `requestAll`, for calls that all have to succeed.
 * @returns the results, in the order of the calls
 * @throws the error of the first failed call
 */
export async function requestEach(
  client: RpcClient,
  calls: readonly RpcCall[],
  options?: RpcCallOptions,
): Promise<unknown[]> {
  if (calls.length === 0) return [];
  return (await client.requestAll(calls, options)).map(resultOf);
}

/** @throws the reason of a rejected outcome */
export function resultOf(outcome: PromiseSettledResult<unknown>): unknown {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
