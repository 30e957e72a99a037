import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Fork } from '../api/fork';
import { ApiError } from '../api/errors';

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});

/** A fork's JSON-RPC error. Its text does not contain the fork's address, which is secret. */
export class ForkRpcError extends Error {
  override readonly name = 'ForkRpcError';

  constructor(
    /** JSON-RPC 2.0 */
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/**
 * The RPC URL of a fork. The service does not give it to viewers of the project.
 * @throws ApiError `roleMissing`
 */
export function rpcUrlOf({ rpc, name }: Pick<Fork, 'rpc' | 'name'>): string {
  if (rpc !== '') return rpc;
  throw new ApiError(
    'roleMissing',
    l10n.t('you are a viewer of the project of fork "{0}": only editors get its RPC URL', name),
  );
}

/**
 * Sends one JSON-RPC request to a fork, which wakes it.
 * @throws ForkRpcError if the fork returns an error; ApiError `engineUnavailable` if it does not answer, `roleMissing` for a viewer, or `cancelled`
 */
export async function forkRpc(
  fork: Pick<Fork, 'rpc' | 'name'>,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const rpc = rpcUrlOf(fork);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  let answer: unknown;
  try {
    answer = await (await fetch(rpc, { method: 'POST', headers, body, signal })).json();
  } catch (error) {
    if (signal.aborted) throw new ApiError('cancelled', 'cancelled');
    throw new ApiError('engineUnavailable', l10n.t('fork "{0}" does not answer', fork.name), {
      cause: error,
    });
  }
  const { result, error } = answerSchema.parse(answer);
  if (error !== undefined) throw new ForkRpcError(error.code, error.message, error.data);
  return result;
}
