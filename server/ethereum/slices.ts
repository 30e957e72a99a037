import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that a piece of work holds up other requests, in milliseconds. */
const SLICE_MS = 12;
/** Steps between looks at the clock. */
const STEPS_PER_LOOK = 8;

/** Work that can be interrupted between its steps. */
export type Work<T> = Generator<undefined, T, undefined>;

/**
 * Does the work with pauses, in which other requests have their turn.
 * @param onPause told how many steps are done
 * @throws the signal's reason once it fires; what the work throws
 */
export async function inSlices<T>(
  work: Work<T>,
  signal?: AbortSignal,
  onPause?: (steps: number) => void,
): Promise<T> {
  let started = performance.now();
  for (let step = 1; ; step++) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (step % STEPS_PER_LOOK > 0 || performance.now() - started < SLICE_MS) continue;
    onPause?.(step);
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
}

/** Between passes that are short, but not all together: other requests have their turn. */
export const pause = (): Promise<void> => nextTurn();

/** Does the work at once. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
