import { encodeSequence } from '../values/encode';
import type { State } from '../values/state';
import { BYTES, type SolidityType } from '../values/types';
import type { Value } from '../values/value';
import { ExpressionError } from '../../port/expression-error';
import { calleeName, type Expression } from './parse';

/** A function that others can call, as `abi.encodeCall` takes it. */
export interface EncodableFunction {
  /** 8 hex digits. */
  readonly selector: string;
  readonly parameters: readonly SolidityType[];
}

/** Function and arguments of `abi.encodeCall(IERC20.transfer, (to, 5))`. */
interface EncodedCall {
  readonly called: Expression;
  readonly items: readonly Expression[];
}

export const ENCODE_CALL = 'abi.encodeCall';
const EXAMPLE = `${ENCODE_CALL}(IERC20.transfer, (to, 5))`;

/** @throws ExpressionError where it is not a function and its arguments */
export function callToEncode({
  given,
  names,
  at,
}: Extract<Expression, { kind: 'call' }>): EncodedCall {
  const [called, items, ...others] = given;
  if (!called || !items || others.length > 0 || names) {
    throw new ExpressionError(
      `${ENCODE_CALL} takes a function and its arguments; accepted is ${EXAMPLE}`,
      at,
    );
  }
  return { called, items: items.kind === 'tuple' ? items.items : [items] };
}

/** The function that is meant, if it takes as many arguments. @throws ExpressionError */
export function encodableFunction(
  found: readonly EncodableFunction[],
  { called, items }: EncodedCall,
): EncodableFunction {
  const name = calleeName(called);
  const [first, ...others] = found;
  if (!first) {
    throw new ExpressionError(
      `${name} is no external or public function that is known here; accepted is ${EXAMPLE}`,
      called.at,
    );
  }
  if (others.length > 0) {
    throw new ExpressionError(
      `${name} means ${found.length} functions; accepted is abi.encodeWithSignature with the types of one`,
      called.at,
    );
  }
  const { length } = first.parameters;
  if (items.length !== length) {
    const takes = length === 1 ? 'one argument' : `${length} arguments`;
    throw new ExpressionError(`${name} takes ${takes}, not ${items.length}`, called.at);
  }
  return first;
}

/** @param values of the parameters' types @throws Unavailable for values that are not known, or too long */
export function encodedCall(
  state: State,
  { selector, parameters }: EncodableFunction,
  values: readonly Value[],
): Value {
  const encoded = encodeSequence(state, parameters, values);
  return {
    kind: 'data',
    type: BYTES,
    data: Buffer.concat([Buffer.from(selector, 'hex'), encoded]),
  };
}
