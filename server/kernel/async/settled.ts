/** Wraps a promise that may reject before a caller awaits it. Prevents an unhandled rejection; each caller still gets the error. */
export function settled<T>(promise: Promise<T>): () => Promise<T> {
  promise.catch(() => undefined);
  return () => promise;
}
