import type { Server } from 'node:http';

/** Without a request for this long, a server is idle. Milliseconds. */
const IDLE_MS = 1_500;

/**
 * Does work once, as soon as a server is idle. A request interrupts it; it begins again when the server is idle again.
 * @param work ends when its signal fires
 * @param onFailure receives what it failed with; it is not done again then
 * @returns a function that ends it for good
 */
export function whenIdle(
  server: Server,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
  idleMs = IDLE_MS,
): () => Promise<void> {
  let running: AbortController | undefined;
  let last = performance.now();
  // Requests are many: each leaves no more than its time.
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
