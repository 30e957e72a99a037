import { ApiError } from '../../api/errors';
import type { RpcCallOptions } from '../../evm/forms/json-rpc';
import { onAbort } from '../../kernel/async/on-abort';

/** Default deadline of calls, in milliseconds. */
const TIMEOUT_MS = 300_000;

/**
 * Settles as the work does, but rejects as soon as the caller cancels or the deadline passes. Work that has begun continues then. Work that
 * has not begun does not start.
 * @param methods for the message
 * @param work calls `begin` when it starts the actual call
 * @throws ApiError cancelled, timedOut
 */
export function cancellableRequest<T>(
  methods: readonly string[],
  { signal, timeoutMs = TIMEOUT_MS }: RpcCallOptions = {},
  work: (begin: (send: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isCancelled = false;
    const cancel = (error: ApiError): void => {
      isCancelled = true;
      reject(error);
    };
    const abort = (): void => {
      cancel(new ApiError('cancelled', 'the request to the engine was cancelled'));
    };
    if (signal?.aborted === true) {
      abort();
      return;
    }
    const deadline = setTimeout(() => {
      const names = [...new Set(methods)].join(', ');
      cancel(
        new ApiError('timedOut', `the engine did not answer ${names} within ${timeoutMs / 1000} s`),
      );
    }, timeoutMs).unref();
    const stop = signal && onAbort(signal, abort);
    const rejectUnsent = (): Promise<never> =>
      Promise.reject(new Error('the request was cancelled before it was sent'));
    work((send) => (isCancelled ? rejectUnsent() : send()))
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(deadline);
        stop?.();
      });
  });
}
