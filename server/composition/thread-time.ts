import { openSync, readSync } from 'node:fs';
import { processTime } from '../kernel/metrics/stall-meter';

/** Linux: nanoseconds that the thread ran, and two more numbers. The kernel's documentation calls it schedstats. */
const FILE = '/proc/thread-self/schedstat';

/**
 * Reads the processor time of the current thread in milliseconds, cheaply. Where the system does not state it, that of the whole process,
 * which other threads that collect memory or compress files add to.
 */
export function threadTimer(): () => number {
  const file = opened();
  if (file === undefined) return processTime;
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number.parseInt(bytes.toString('latin1', 0, length), 10) / 1e6;
  };
}

function opened(): number | undefined {
  try {
    return openSync(FILE, 'r');
  } catch {
    return undefined;
  }
}
