/** How a command ends. Documented in the help and in server/README.md. */
export const EXIT = { failed: 1, usage: 2, noService: 3, accessKey: 4, cancelled: 130 } as const;

/** An error as scripts get it. */
export interface Failure {
  /** As in the answers of the service: HTTP status x 100 + n. */
  code: number;
  message: string;
  exitCode: number;
}

const CODE = { invalid: 40001, internal: 50000, cancelled: 49900 } as const;

/** Errors by what a user can do about them. @param error anything that was thrown */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return { code: CODE.internal, message: String(error), exitCode: EXIT.failed };
  }
  const { name, message } = error;
  if (name === 'UsageError') return { code: CODE.invalid, message, exitCode: EXIT.usage };
  if (name === 'NoServiceError') {
    return { code: 50300, message, exitCode: EXIT.noService };
  }
  if (name === 'AbortError') {
    return { code: CODE.cancelled, message: 'cancelled', exitCode: EXIT.cancelled };
  }
  // Bundles that are loaded on demand have classes of their own: an error is known by its code.
  const { code } = error as { code?: unknown };
  if (name !== 'ApiError' || typeof code !== 'number') {
    return { code: CODE.internal, message, exitCode: EXIT.failed };
  }
  return { code, message, exitCode: exitCodeOf(code) };
}

function exitCodeOf(code: number): number {
  if (code === CODE.cancelled) return EXIT.cancelled;
  if (code === CODE.invalid) return EXIT.usage;
  return code === 40100 || code === 40101 || code === 40300 ? EXIT.accessKey : EXIT.failed;
}
