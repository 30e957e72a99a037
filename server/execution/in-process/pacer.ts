import { pause } from '../../async/slices';

/** Maximum time between two pauses, in milliseconds: below the 20 ms that other requests may wait. */
const SLICE_MS = 10;
/** Calls between two looks at the clock. */
const STRIDE = 64;

/** Lets other requests run while code is executed, which otherwise gives way to nothing but its own reads. */
export class Pacer {
  #end = performance.now() + SLICE_MS;
  #calls = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** Cheap. @returns undefined if it is not time to pause; the promise rejects with the reason of the signal */
  pause(): Promise<void> | undefined {
    if (++this.#calls % STRIDE !== 0 || performance.now() < this.#end) return undefined;
    return this.#pause();
  }

  async #pause(): Promise<void> {
    await pause();
    this.signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}
