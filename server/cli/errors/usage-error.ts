/** An invalid command line: an unknown command or option, or an invalid value. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const SHOWN_CHARACTERS = 80;

/** @param label name on the command line: `--rows`, `<hash>` @param accepted a noun phrase */
export function wrongValue(label: string, value: string, accepted: string): UsageError {
  const text = JSON.stringify(value);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return new UsageError(`${label} is ${shown}; accepted: ${accepted}`);
}
