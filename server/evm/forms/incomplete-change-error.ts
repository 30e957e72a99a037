import { ApiError } from '../../api/errors';

/** An engine made a change while it could not read its chain: a block may lack transactions that could be executed. */
export class IncompleteChangeError extends ApiError {
  /** @param cause why the chain could not be read */
  constructor(cause: ApiError) {
    super(cause.kind, cause.message, { cause });
  }
}
