/** Exit codes of a process that a signal ended. */
const CODES = { SIGINT: 130, SIGTERM: 143 };

/**
 * Has `end` end the processes of a run at each signal that interrupts it. `end` takes the signal and the exit code.
 * @returns the exit code, once a signal came
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
