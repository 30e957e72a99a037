import { ApiError, shown } from '../../api/errors';
import { ExpressionError } from '../languages/port/expression-error';

/** What is wrong with an expression, as an error of the request; any other error as it is. */
export function wrongExpression(field: string, expression: string, error: unknown): unknown {
  if (!(error instanceof ExpressionError)) return error;
  return new ApiError('invalidField', `${field} ${shown(expression)}: ${error.message}`);
}
