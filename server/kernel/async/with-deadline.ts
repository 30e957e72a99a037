import { ApiError } from '../../api/errors';
import { startTimeout } from '../../api/timeout-signal';

/**
 * Runs work that is cancelled after a time.
 * @param what for the error: `the replay of 0x…`
 * @param advice for the error: what else can be done
 * @throws ApiError `timedOut`; what `work` throws before the deadline, or after the signal fired
 */
export async function withDeadline<T>(
  limits: { signal?: AbortSignal; timeoutMs: number; what: string; advice?: string },
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs, what, advice } = limits;
  const { signal: deadline, clear } = startTimeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    if (signal?.aborted === true || !deadline.aborted) throw error;
    const message = `${what} took longer than ${timeoutMs / 1000} s`;
    throw new ApiError('timedOut', advice === undefined ? message : `${message}: ${advice}`, {
      cause: error,
    });
  } finally {
    clear();
  }
}
