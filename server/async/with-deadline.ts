import { ApiError } from '../api/errors';

/**
 * Runs work that is cancelled after a time.
 * @param what for the error: `the replay of 0x…`
 * @throws ApiError `timedOut`; what `work` throws before the deadline, or after the signal fired
 */
export async function withDeadline<T>(
  { signal, timeoutMs, what }: { signal?: AbortSignal; timeoutMs: number; what: string },
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    if (signal?.aborted === true || !deadline.aborted) throw error;
    throw new ApiError('timedOut', `${what} took longer than ${timeoutMs / 1000} s`, {
      cause: error,
    });
  }
}
