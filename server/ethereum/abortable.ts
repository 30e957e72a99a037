import { onAbort } from './on-abort';

/**
 * Settles as the promise does, or rejects as soon as the signal fires. What the promise stands for goes on, for others may wait for it.
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
