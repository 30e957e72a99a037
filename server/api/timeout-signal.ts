/** A time limit that runs. */
export interface RunningTimeout {
  signal: AbortSignal;
  /** Lets go of the timer; the signal does not fire any more. For limits of which many begin in a second. */
  clear: () => void;
}

/**
 * A signal that aborts after a time with a `TimeoutError`, like `AbortSignal.timeout`. Does not keep the process alive.
 *
 * `AbortSignal.any` holds its sources weakly: Node 20 collects an `AbortSignal.timeout` that nothing else holds, and the combined signal never
 * fires. The timer holds this one.
 */
export const timeoutSignal = (timeoutMs: number): AbortSignal => startTimeout(timeoutMs).signal;

/** As `timeoutSignal`. */
export function startTimeout(timeoutMs: number): RunningTimeout {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, timeoutMs).unref();
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
    },
  };
}
