import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time that work blocks other requests, in milliseconds. */
const SLICE_MS = 12;
/** Number of short steps between two yields: a yield takes longer than some steps. */
export const STEPS_PER_YIELD = 8;

/** Interruptible work. Each yield returns the number of steps since the previous one. */
export type Work<T> = Generator<number, T, undefined>;

/**
 * Runs the work with pauses, in which other requests are processed.
 * @param onPause receives the number of steps done
 * @throws the signal's reason once it fires; the errors of the work
 */
export async function inSlices<T>(
  work: Work<T>,
  signal?: AbortSignal,
  onPause?: (steps: number) => void,
): Promise<T> {
  for (let steps = 0; ;) {
    const slice = runSlice(work);
    if (slice.done === true) return slice.value;
    steps += slice.value;
    onPause?.(steps);
    await nextTurn();
    signal?.throwIfAborted();
  }
}

/** @returns the result of the work, or the number of steps done in the time of a slice */
function runSlice<T>(work: Work<T>): IteratorResult<number, T> {
  const end = performance.now() + SLICE_MS;
  for (let steps = 0; ;) {
    const step = work.next();
    if (step.done === true) return step;
    steps += step.value;
    if (performance.now() >= end) return { done: false, value: steps };
  }
}

/** Pauses between passes that are short individually but not together, so that other requests are processed. */
export const pause = (): Promise<void> => nextTurn();

/** Pauses between awaited pieces of work that are short individually but not together. */
export class Pauses {
  #end = performance.now() + SLICE_MS;

  constructor(private readonly signal: AbortSignal) {}

  /** Processes other requests if the time of a slice is over. @throws the signal's reason */
  async ifDue(): Promise<void> {
    if (performance.now() < this.#end) return;
    await nextTurn();
    this.signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Runs the work without pauses. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
