import { setTimeout as delay } from 'node:timers/promises';

type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/**
 * The result of `first`, or of `second`, which starts when the first one takes long, if it has one earlier. The other one is cancelled.
 * @throws what `first` throws; what fails in `second` is no result
 */
export async function withSecondAttempt<T>(
  first: Attempt<T>,
  second: Attempt<T | undefined>,
  { afterMs, signal }: { afterMs: number; signal: AbortSignal },
): Promise<T> {
  const ended = new AbortController();
  const limited = AbortSignal.any([signal, ended.signal]);
  const result = first(limited);
  const other = delay(afterMs, undefined, { signal: limited }).then(() => second(limited));
  const found = other.then(
    (value) => value ?? result,
    () => result,
  );
  try {
    return await Promise.race([result, found]);
  } finally {
    ended.abort();
  }
}
