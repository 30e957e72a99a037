/** An expression that cannot be evaluated. The message names the position, counted from 1, and what is accepted. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  /** @param at offset in the expression, from 0 */
  constructor(
    problem: string,
    readonly at: number,
  ) {
    super(`${problem} (at character ${at + 1} of the expression)`);
  }
}

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
