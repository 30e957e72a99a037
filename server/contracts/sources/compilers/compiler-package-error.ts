/** A compiler cannot be installed or removed; the message says what to do. */
export class CompilerPackageError extends Error {
  override readonly name = 'CompilerPackageError';
}
