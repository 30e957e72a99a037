import { ApiError } from '../../api/errors';

/** An engine exited or closed the connection before it answered. */
export class EngineEndedError extends ApiError {
  constructor(cause: unknown) {
    super(
      'engineUnavailable',
      'the engine ended before it answered: repeat the request; if it ends again, it may need more memory (engine.memoryMegabytes)',
      { cause },
    );
  }
}

/** Runs work that starts an engine of its own, and repeats it once if the engine did not answer. @throws the errors of `work` */
export async function retryOnEngineEnd<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineEndedError) || signal?.aborted === true) throw error;
    return work();
  }
}
