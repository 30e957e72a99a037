import { elementOf, entryOf, resultAt } from '../values/access';
import type { State } from '../values/state';
import type { SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { bytesOfWord, convert, dataOf, numberOf, rangeOf } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import { operandName, word, type Operand } from './operands';
import type { Expression } from './parse';

/** An index or a key, as it is written. */
interface Index {
  readonly key: Operand;
  readonly expression: Expression;
  /** Of the bracket. */
  readonly at: number;
}

/** `list[1]`, `balances[account]` or a byte of `bytes`. @throws ExpressionError; Unavailable */
export function elementAt(state: State, operand: Operand, { key, expression, at }: Index): Operand {
  if (operand.kind === 'reference') {
    const { type } = operand;
    if (type.kind === 'mapping') {
      return entryOf(state, operand, keyOf(state, key, type.key, expression));
    }
    if (type.kind !== 'struct') {
      return elementOf(state, operand, wholeNumber(key, expression.at));
    }
    if (type.isTuple) return resultAt(state, operand, wholeNumber(key, expression.at));
  }
  const data =
    operand.kind === 'data'
      ? operand.data
      : operand.kind === 'word' && operand.type.kind === 'fixedBytes'
        ? bytesOfWord(operand.word, operand.type.length)
        : undefined;
  if (!data) throw new ExpressionError(`${operandName(operand)} has no elements`, at);
  const place = wholeNumber(key, expression.at);
  if (place < 0n || place >= BigInt(data.length)) {
    throw new Unavailable(`the index ${place} is not below the length ${data.length}`);
  }
  return word({ kind: 'fixedBytes', length: 1 }, BigInt(data[Number(place)] ?? 0) << 248n);
}

/** `data[1:3]`: Solidity has slices of call data alone; here they are of any bytes and texts. @throws ExpressionError; Unavailable */
export function sliceOf(
  state: State,
  operand: Operand,
  { from = 0n, to, at }: { from: bigint | undefined; to: bigint | undefined; at: number },
): Value {
  const data = dataOf(state, operand);
  if (!data || (operand.kind !== 'data' && operand.kind !== 'reference')) {
    throw new ExpressionError(`${operandName(operand)} has no slices; accepted are bytes`, at);
  }
  const last = BigInt(data.length);
  const end = to ?? last;
  if (from < 0n || from > end || end > last) {
    throw new Unavailable(`the slice from ${from} to ${end} is not inside of its ${last} bytes`);
  }
  return { kind: 'data', type: operand.type, data: data.subarray(Number(from), Number(end)) };
}

function keyOf(
  state: State,
  key: Operand,
  type: SolidityType,
  { kind, at }: Expression,
): bigint | Uint8Array {
  // A number as it is written may stand for an account, an enum or bytes.
  const isLiteral = key.kind === 'literal' || kind === 'number';
  const value = convert(state, key, type, at, isLiteral ? 'explicit' : 'implicit');
  if (value.kind === 'word') return value.word;
  const data = dataOf(state, value);
  if (data) return data;
  throw new ExpressionError(`${operandName(key)} is not a key`, at);
}

/** @throws ExpressionError */
export function wholeNumber(operand: Operand, at: number): bigint {
  if (operand.kind === 'literal' && operand.denominator === 1n) return operand.numerator;
  if (operand.kind === 'word' && rangeOf(operand.type)) return numberOf(operand.type, operand.word);
  throw new ExpressionError(
    `${operandName(operand)} is not an index; accepted is a whole number`,
    at,
  );
}
