/** A promise that may fail before anybody waits for it: whoever does is told then. */
export function settled<T>(promise: Promise<T>): () => Promise<T> {
  promise.catch(() => undefined);
  return () => promise;
}
