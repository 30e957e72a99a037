import { onAbort } from './on-abort';

/**
 * Settles as the promise does, or rejects as soon as the signal fires. The underlying work continues, since other callers may wait for it.
 * @throws the signal's reason
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => {
      reject(signal.reason as Error);
    });
    promise.then(resolve, reject).finally(stop);
  });
}
