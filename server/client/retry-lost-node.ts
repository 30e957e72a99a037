import { ProxyAnswerError } from '../api/client';
import { ApiError } from '../api/errors';

/** Pauses between attempts, in milliseconds: longer than a load balancer takes to notice that a node is gone. */
const PAUSES_MS = [100, 300, 1_000, 2_000];

/** Failures of a connection that was never made, so that nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Repeats a request whose node was lost: refused or lost connections, and 502, 503 and 504 of a load balancer. A request that changes
 * something is repeated only if no service can have received it.
 * @throws the error of the last attempt
 */
export async function retryLostNode<T>(
  request: () => Promise<T>,
  {
    isRead,
    signal,
    pausesMs = PAUSES_MS,
  }: { isRead: boolean; signal?: AbortSignal | undefined; pausesMs?: readonly number[] },
): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await request();
    } catch (error) {
      const loss = lossOf(error);
      if (loss === undefined || (loss === 'unclear' && !isRead)) throw error;
      // With jitter, so that clients do not return all at once.
      await waitFor(pause * (0.5 + Math.random()), signal);
    }
  }
  return request();
}

/** @throws ApiError `cancelled` once the signal aborts */
function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(new ApiError('cancelled', 'cancelled'));
      else resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}

/** @returns undefined if a service answered; `unclear` if one may have received the request */
function lossOf(error: unknown): 'not received' | 'unclear' | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.kind === 'forkElsewhere') return 'not received';
  const { cause } = error;
  // Without a cause, a service answered that the endpoint of a chain is unreachable.
  if (error.kind !== 'upstreamUnreachable' || cause === undefined) return undefined;
  if (cause instanceof ProxyAnswerError) return cause.status === 503 ? 'not received' : 'unclear';
  const { cause: inner, code } = cause as { cause?: { code?: unknown }; code?: unknown };
  return NOT_CONNECTED.has(String(inner?.code ?? code)) ? 'not received' : 'unclear';
}
