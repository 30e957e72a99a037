/** Exit codes of a process that a signal ended. */
const CODES = { SIGINT: 130, SIGTERM: 143 };

/**
 * Calls `end` with the signal and the exit code at each signal that interrupts this process, so that it can end what it started.
 * @returns what gives the exit code, once a signal came
 */
export function onInterrupt(end) {
  let first;
  for (const [signal, code] of Object.entries(CODES)) {
    process.on(signal, () => {
      first ??= code;
      end(signal, first);
    });
  }
  return () => first;
}
