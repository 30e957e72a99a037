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
  let timer: NodeJS.Timeout | undefined;
  let running = new AbortController();
  const end = (): void => {
    server.off('request', postpone);
    clearTimeout(timer);
    running.abort();
  };
  const begin = (): void => {
    const { signal } = (running = new AbortController());
    work(signal).then(end, (error: unknown) => {
      if (signal.aborted) return;
      end();
      onFailure(error);
    });
  };
  const postpone = (): void => {
    running.abort();
    clearTimeout(timer);
    timer = setTimeout(begin, idleMs).unref();
  };
  server.on('request', postpone);
  postpone();
  return () => {
    end();
    return Promise.resolve();
  };
}
