import { endOfTurn, isTurnOver, nextTurn } from './turns';

/** Number of short steps between two yields: a yield takes longer than some steps. */
export const STEPS_PER_YIELD = 8;

/** Interruptible work. Each yield returns the number of steps since the previous one. */
export type Work<T> = Generator<number, T, undefined>;

/**
 * Runs the work with pauses, in which other requests are processed. All works share the turns of the event loop, one slice in each.
 * @param onPause receives the number of steps done
 * @throws the signal's reason once it fires; the errors of the work
 */
export async function inSlices<T>(
  work: Work<T>,
  signal?: AbortSignal,
  onPause?: (steps: number) => void,
): Promise<T> {
  if (isTurnOver()) await anotherTurn(signal);
  for (let steps = 0; ;) {
    const slice = runSlice(work);
    if (slice.done === true) return slice.value;
    steps += slice.value;
    onPause?.(steps);
    await anotherTurn(signal);
  }
}

/** @throws the signal's reason */
async function anotherTurn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** @returns the result of the work, or the number of steps done in the time of a slice */
function runSlice<T>(work: Work<T>): IteratorResult<number, T> {
  const end = endOfTurn();
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
  constructor(private readonly signal: AbortSignal) {}

  /** Processes other requests if the time of a slice is over. @throws the signal's reason */
  async ifDue(): Promise<void> {
    if (isTurnOver()) await anotherTurn(this.signal);
  }
}

/** Runs the work without pauses. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
