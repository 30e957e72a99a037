import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';

/** Time without a request after which a server is idle, if its process has little to do. Milliseconds. */
const IDLE_MS = 1_500;
/** How often in this time it is checked: the task begins at most a quarter of the time late. */
const CHECKS = 4;
/** Share of the time between two checks that the process may work: more is an answer in the making. */
const IDLE_UTILIZATION = 0.5;

/** A task that waits until a server is idle. */
export interface IdleTask {
  /** Call it for each call that is no request of the server: a message of a WebSocket. */
  interrupt: () => void;
  /** Stops the task permanently. */
  stop: () => Promise<void>;
}

/**
 * Runs a task once, as soon as a server is idle. A request interrupts the task; it restarts when the server is idle again. Streams that are
 * open but silent do not count.
 * @param work ends when its signal aborts
 * @param onFailure receives the error of a failed task, which is not repeated
 */
export function runWhenIdle(
  server: Server,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
  idleMs = IDLE_MS,
): IdleTask {
  let running: AbortController | undefined;
  let last = performance.now();
  let before = performance.eventLoopUtilization();
  // There are many requests, so each one only records its time.
  const interrupt = (): void => {
    last = performance.now();
    running?.abort();
    running = undefined;
  };
  const end = (): void => {
    server.off('request', interrupt);
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
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const isIdle = utilization < IDLE_UTILIZATION && performance.now() - last >= idleMs;
    if (!running && isIdle) begin();
  }, idleMs / CHECKS).unref();
  server.on('request', interrupt);
  const stop = (): Promise<void> => {
    end();
    return Promise.resolve();
  };
  return { interrupt, stop };
}
