import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that a piece of work holds up other requests, in milliseconds. */
const SLICE_MS = 12;
/** Steps that work of many short ones does before it yields: to do so takes longer than some of them. */
export const STEPS_PER_YIELD = 8;

/** Work that can be interrupted where it yields: the number of steps that it did since it yielded last. */
export type Work<T> = Generator<number, T, undefined>;

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
  for (let steps = 0; ;) {
    const { done, value } = work.next();
    if (done === true) return value;
    steps += value;
    if (performance.now() - started < SLICE_MS) continue;
    onPause?.(steps);
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
