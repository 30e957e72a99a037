import { ApiError } from '../../api/errors';
import { EngineEndedError } from '../../evm/forms/engine-ended-error';

/** The engine ended before it answered a change. The change is not in the journal, so the next engine does not have it. */
export class ChangeUndoneError extends ApiError {
  /** Whether the next engine can make the change: it did not fail because it took too long. */
  readonly isRepeatable: boolean;

  constructor(cause: unknown) {
    super(
      'engineUnavailable',
      "the fork's engine ended before it answered, and the change was not made; try again",
      { cause },
    );
    this.isRepeatable = cause instanceof EngineEndedError;
  }
}
