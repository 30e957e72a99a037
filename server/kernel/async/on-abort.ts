import { setMaxListeners } from 'node:events';

/**
 * Calls back when the signal fires, or at once if it already has. Removes the limit of listeners per signal: all calls of a batch share
 * one.
 * @returns function that removes the listener
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', callback, { once: true });
  return () => {
    signal.removeEventListener('abort', callback);
  };
}
