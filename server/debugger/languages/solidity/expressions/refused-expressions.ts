import { ExpressionError } from '../../port/expression-error';

/** Its operands have values with which it has none: the same expression may have a value on another state. */
export class ArithmeticError extends ExpressionError {}

/** The expression calls a function of a contract, which needs an execution. */
export class FunctionCallError extends ExpressionError {
  constructor(
    readonly callee: string,
    at: number,
  ) {
    super(
      `${callee} is a function; accepted are view functions of the contract, conversions such as uint256(x), hashes, abi.encode and the like, type and gasleft`,
      at,
    );
  }
}
