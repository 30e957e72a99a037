/** No service answers and none can be started. Exit code 3. */
export class NoServiceError extends Error {
  override readonly name = 'NoServiceError';
}
