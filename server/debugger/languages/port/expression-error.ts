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
