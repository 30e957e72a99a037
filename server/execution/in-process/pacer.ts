import { pause } from '../../async/slices';
import { isTurnOver } from '../../async/turns';

/** Calls between two looks at the clock. */
const STRIDE = 64;

/** Lets other requests run while code is executed, which otherwise gives way to nothing but its own reads. */
export class Pacer {
  #calls = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** Cheap. @returns undefined if it is not time to pause; the promise rejects with the reason of the signal */
  pause(): Promise<void> | undefined {
    if (++this.#calls % STRIDE !== 0 || !isTurnOver()) return undefined;
    return this.#pause();
  }

  async #pause(): Promise<void> {
    await pause();
    this.signal.throwIfAborted();
  }
}
