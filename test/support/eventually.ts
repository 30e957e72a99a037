import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 15_000;
const PAUSE_MS = 20;

/**
 * Runs a task again and again until it does not throw: for state whose change sends no event.
 * @param ms how long; a deadline against hangs, not a measurement of speed
 * @throws the last error of the task at the deadline
 */
export async function eventually<T>(task: () => T | Promise<T>, ms = DEADLINE_MS): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}
