/** How a command ends. Documented in the help and in server/README.md. */
export const EXIT = { failed: 1, usage: 2, noService: 3, accessKey: 4, cancelled: 130 } as const;

/** An error as scripts get it. */
export interface Failure {
  /** As in the answers of the service: HTTP status x 100 + n; of a fork: JSON-RPC's, negative. */
  code: number;
  message: string;
  exitCode: number;
}

const CODE = { invalid: 40001, internal: 50000, cancelled: 49900, unreachable: 50200 } as const;

/** Errors by what a user can do about them. @param error anything that was thrown */
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
  // A fork's own error: its code is JSON-RPC's.
  if (name === 'ForkRpcError') {
    return { code: Number((error as { code?: unknown }).code), message, exitCode: EXIT.failed };
  }
  // Bundles that are loaded on demand have classes of their own: an error is known by its code.
  const { code } = error as { code?: unknown };
  if (name !== 'ApiError' || typeof code !== 'number') {
    return { code: CODE.internal, message, exitCode: EXIT.failed };
  }
  // No connection to the service itself; what the service says of its own upstream has no cause here.
  const isUnreachable = code === CODE.unreachable && error.cause !== undefined;
  return { code, message, exitCode: isUnreachable ? EXIT.noService : exitCodeOf(code) };
}

function exitCodeOf(code: number): number {
  if (code === CODE.cancelled) return EXIT.cancelled;
  if (code === CODE.invalid) return EXIT.usage;
  return code === 40100 || code === 40101 || code === 40300 ? EXIT.accessKey : EXIT.failed;
}
