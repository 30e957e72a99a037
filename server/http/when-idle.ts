import type { Server } from 'node:http';

/** Time without a request after which a server is idle. Milliseconds. */
const IDLE_MS = 1_500;

/**
 * Runs a task once, as soon as a server is idle. A request interrupts the task; it restarts when the server is idle again.
 * @param work ends when its signal aborts
 * @param onFailure receives the error of a failed task, which is not repeated
 * @returns a function that stops the task permanently
 */
export function whenIdle(
  server: Server,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
  idleMs = IDLE_MS,
): () => Promise<void> {
  let running: AbortController | undefined;
  let last = performance.now();
  // There are many requests, so each one only records its time.
  const note = (): void => {
    last = performance.now();
    running?.abort();
    running = undefined;
  };
  const end = (): void => {
    server.off('request', note);
    clearInterval(timer);
    running?.abort();
  };
  const begin = (): void => {
    const { signal } = (running = new AbortController());
    work(signal).then(end, (error: unknown) => {
      if (signal.aborted) return;
      end();
      onFailure(error);
    });
  };
  const timer = setInterval(() => {
    if (!running && performance.now() - last >= idleMs) begin();
  }, idleMs).unref();
  server.on('request', note);
  return () => {
    end();
    return Promise.resolve();
  };
}
