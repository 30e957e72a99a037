/** Exit codes of a command. Documented in the help and in server/CLI.md. */
export const EXIT = { failed: 1, usage: 2, noService: 3, accessKey: 4, cancelled: 130 } as const;

/** An error in the format for scripts. */
export interface Failure {
  /** The code of the service's answer, HTTP status x 100 + n, or the negative JSON-RPC code of a fork's error. */
  code: number;
  message: string;
  exitCode: number;
}

const CODE = { invalid: 40001, internal: 50000, cancelled: 49900, unreachable: 50200 } as const;

/** Classifies errors by their remedies. @param error any thrown value */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return { code: CODE.internal, message: String(error), exitCode: EXIT.failed };
  }
  const { name, message } = error;
  if (name === 'UsageError' || name === 'UnusableDirectoryError') {
    return { code: CODE.invalid, message, exitCode: EXIT.usage };
  }
  if (name === 'NoServiceError') {
    return { code: 50300, message, exitCode: EXIT.noService };
  }
  if (name === 'AbortError') {
    return { code: CODE.cancelled, message: 'cancelled', exitCode: EXIT.cancelled };
  }
  // An error that a fork returned has a JSON-RPC code.
  if (name === 'ForkRpcError') {
    return { code: Number((error as { code?: unknown }).code), message, exitCode: EXIT.failed };
  }
  // Each bundle that is loaded on demand has its own copy of the error classes, so errors are identified by their code.
  const { code } = error as { code?: unknown };
  if (name !== 'ApiError' || typeof code !== 'number') {
    return { code: CODE.internal, message, exitCode: EXIT.failed };
  }
  // Only a failed connection to the service has a cause; an error about the service's own upstream has none here.
  const isUnreachable = code === CODE.unreachable && error.cause !== undefined;
  return { code, message, exitCode: isUnreachable ? EXIT.noService : exitCodeOf(code) };
}

function exitCodeOf(code: number): number {
  if (code === CODE.cancelled) return EXIT.cancelled;
  if (code === CODE.invalid) return EXIT.usage;
  return code === 40100 || code === 40101 || code === 40300 ? EXIT.accessKey : EXIT.failed;
}
