import type { Logger } from 'pino';

/** Interval at which a repeated failure is logged, in milliseconds. */
const INTERVAL_MS = 30_000;

/** Logs an error, unless it did so lately: during an outage, the same happens every second. */
export function seldomWarning(log: Logger, text: string): (error: unknown) => void {
  let next = -Infinity;
  return (error) => {
    if (performance.now() < next) return;
    next = performance.now() + INTERVAL_MS;
    log.warn({ err: error }, text);
  };
}
