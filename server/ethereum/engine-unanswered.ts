import { ApiError } from '../api/errors';

/** An engine ended, or closed the connection, before it answered. */
export class EngineUnanswered extends ApiError {
  constructor(cause: unknown) {
    super('engineUnavailable', 'the engine ended before it answered', { cause });
  }
}

/** Does the work, which starts an engine of its own, once more where the engine did not answer. @throws what `work` throws */
export async function withSecondEngine<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineUnanswered) || signal?.aborted === true) throw error;
    return work();
  }
}
