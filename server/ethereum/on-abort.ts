import { setMaxListeners } from 'node:events';

/**
 * Calls back when the signal fires, or at once where it has. Any number may listen to one signal: a batch waits for all its answers
 * with the same.
 * @returns what ends the listening
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
