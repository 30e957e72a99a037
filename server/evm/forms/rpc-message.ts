import { ApiError, type ApiErrorName } from '../../api/errors';
import { isTooDeep } from './json-depth';
import { RpcError, type RpcCall } from './json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { ExactId, keepExactIds } from './exact-ids';

const BY_KIND: Partial<Record<ApiErrorName, number>> = {
  invalidField: RPC_CODES.invalidParams,
  forkNotFound: RPC_CODES.notFound,
  chainNotFound: RPC_CODES.notFound,
  blockNotFound: RPC_CODES.notFound,
  transactionNotFound: RPC_CODES.notFound,
  snapshotNotFound: RPC_CODES.notFound,
  upstreamUnreachable: RPC_CODES.unavailable,
  upstreamLacksData: RPC_CODES.unavailable,
  engineUnavailable: RPC_CODES.unavailable,
  timedOut: RPC_CODES.unavailable,
  cancelled: RPC_CODES.unavailable,
  outOfFiles: RPC_CODES.unavailable,
  databaseUnavailable: RPC_CODES.unavailable,
  forkElsewhere: RPC_CODES.unavailable,
  storageFull: RPC_CODES.unavailable,
  storageDamaged: RPC_CODES.unavailable,
  journalFull: RPC_CODES.limitExceeded,
  diskQuota: RPC_CODES.limitExceeded,
  engineQuota: RPC_CODES.limitExceeded,
  snapshotLimit: RPC_CODES.limitExceeded,
  tooManyRequests: RPC_CODES.limitExceeded,
  enginesBusy: RPC_CODES.limitExceeded,
};

export type RpcId = string | number | ExactId | null;

/** One request object of JSON-RPC 2.0 §4. */
export interface RpcRequest extends RpcCall {
  /** undefined: a notification, which gets no answer. */
  id: RpcId | undefined;
}

export type RpcAnswer =
  | { jsonrpc: '2.0'; id: RpcId; result: unknown }
  | { jsonrpc: '2.0'; id: RpcId; error: { code: number; message: string; data?: unknown } };

/** Members that make the conversion of an object to a string or number fail. No method accepts one. */
const CONVERSIONS = ['toString', 'valueOf'];
const MAY_CONVERT = /toString|valueOf|\\u/;

function leaveOutConversions(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name of CONVERSIONS) {
    if (Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
  }
  Object.values(value).forEach(leaveOutConversions);
}

/**
 * Parses a request and keeps its ids as they were sent.
 * @throws RpcError -32700; -32600 if the text is nested too deep
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `the request is nested deeper than ${LIMITS.jsonDepth} levels`,
    );
  }
  const value = parsed(text);
  if (MAY_CONVERT.test(text)) leaveOutConversions(value);
  keepExactIds(text, value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RpcError(RPC_CODES.parseError, 'the request is not JSON');
  }
}

/** @throws RpcError -32600 */
export function parseRequest(value: unknown): RpcRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      'a request is an object with "method" and "params"',
    );
  }
  const { id, method, params } = value as Record<string, unknown>;
  if (id !== undefined && !isId(id)) {
    throw new RpcError(RPC_CODES.invalidRequest, '"id" must be a string, a number or null');
  }
  if (typeof method !== 'string') {
    throw new RpcError(RPC_CODES.invalidRequest, '"method" must be a string');
  }
  // Clients in some languages send null for no parameters.
  const given = params ?? [];
  if (!Array.isArray(given)) {
    throw new RpcError(RPC_CODES.invalidRequest, '"params" must be an array');
  }
  return { id, method, params: given };
}

/** The id for the answer, as far as a malformed request contains one. */
export function idOf(value: unknown): RpcId {
  const id: unknown =
    typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : null;
  return isId(id) ? id : null;
}

const isId = (id: unknown): id is RpcId =>
  id === null || typeof id === 'string' || typeof id === 'number' || id instanceof ExactId;

/** An answer as JSON. */
export function answerText(answer: RpcAnswer): string {
  if (!(answer.id instanceof ExactId)) return JSON.stringify(answer);
  const { id, jsonrpc, ...outcome } = answer;
  return `{"jsonrpc":"${jsonrpc}","id":${id.text},${JSON.stringify(outcome).slice(1)}`;
}

/** The answer to a request that succeeded. */
export const resultAnswer = (id: RpcId, result: unknown): RpcAnswer => ({
  jsonrpc: '2.0',
  id,
  result: result ?? null,
});

/** @param onInternal receives errors that the client did not cause */
export function errorAnswer(
  id: RpcId,
  error: unknown,
  onInternal?: (error: unknown) => void,
): RpcAnswer {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return {
      jsonrpc: '2.0',
      id,
      error: { code, message, ...(data === undefined ? {} : { data }) },
    };
  }
  if (error instanceof ApiError && error.kind !== 'internal') {
    const code = BY_KIND[error.kind] ?? RPC_CODES.internal;
    const { message, retryAfter } = error;
    const data = retryAfter === undefined ? {} : { data: { retryAfter } };
    return { jsonrpc: '2.0', id, error: { code, message, ...data } };
  }
  onInternal?.(error);
  return { jsonrpc: '2.0', id, error: { code: RPC_CODES.internal, message: 'internal error' } };
}
