import { ApiError } from '../../api/errors';
import { EngineUnanswered } from '../../ethereum/engine-unanswered';

/** A change that an engine did not live to answer. It is not in the journal, so that the next engine does not have it. */
export class ChangeUndone extends ApiError {
  /** The next engine can make it: what it asks for did not take too long. */
  readonly isRepeatable: boolean;

  constructor(cause: unknown) {
    super(
      'engineUnavailable',
      "the fork's engine ended before it answered, and the change was not made; ask again",
      { cause },
    );
    this.isRepeatable = cause instanceof EngineUnanswered;
  }
}
