import { power as powerOfWords } from '../../../../evm/interpreter/word';
import type { State } from '../values/state';
import { typeName, type ValueType } from '../values/types';
import type { Value } from '../values/value';
import { cleanWord } from '../values/words';
import { canConvert, convert, convertsWord, dataOf, numberOf, rangeOf } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import { ArithmeticError } from './refused-expressions';
import { numberType } from './literals';
import {
  bool,
  isText,
  isWritten,
  literal,
  operandName,
  word,
  type Literal,
  type Operand,
} from './operands';

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
const BITS = new Set(['&', '|', '^']);
/** Bits of a number outside of any type. */
const MAX_BITS = 4_096n;

const compare = (operator: string, order: number): Value =>
  bool(
    operator === '=='
      ? order === 0
      : operator === '!='
        ? order !== 0
        : operator === '<'
          ? order < 0
          : operator === '>'
            ? order > 0
            : operator === '<='
              ? order <= 0
              : order >= 0,
  );

const orderOf = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** @param at of the operator @throws ExpressionError; Unavailable */
export function binary(
  state: State,
  operator: string,
  left: Operand,
  right: Operand,
  at: number,
  wraps = false,
): Operand {
  if (left.kind === 'literal' && right.kind === 'literal') {
    return literals(operator, left, right, at);
  }
  if (operator === '**' || operator === '<<' || operator === '>>') {
    return shiftOrPower(operator, left, right, at, wraps);
  }
  const texts = [dataOf(state, left), dataOf(state, right)];
  if (texts[0] && texts[1]) {
    if (operator !== '==' && operator !== '!=') refuse(operator, left, right, at);
    return compare(operator, Buffer.compare(texts[0], texts[1]));
  }
  const [a, b, type] = sameType(state, operator, left, right, at);
  if (COMPARISONS.has(operator)) {
    const isOrdered =
      rangeOf(type) !== undefined ||
      ['fixedBytes', 'enum', 'address', 'contract'].includes(type.kind);
    // A type that is not known may have operators of its own.
    if (type.kind === 'other') refuse(operator, left, right, at);
    if (!isOrdered && operator !== '==' && operator !== '!=') refuse(operator, left, right, at);
    return compare(operator, orderOf(numberOf(type, a), numberOf(type, b)));
  }
  if (BITS.has(operator) && (type.kind === 'fixedBytes' || rangeOf(type))) {
    return word(type, operator === '&' ? a & b : operator === '|' ? a | b : a ^ b);
  }
  if (!rangeOf(type)) refuse(operator, left, right, at);
  const result = arithmetic(operator, numberOf(type, a), numberOf(type, b), at);
  return within(type, result, at, wraps);
}

function refuse(operator: string, left: Operand, right: Operand, at: number): never {
  throw new ExpressionError(
    `"${operator}" is not defined for ${operandName(left)} and ${operandName(right)}${partsOf(left) || partsOf(right)}`,
    at,
  );
}

/** What is accepted in place of an array or struct that the expression writes. */
function partsOf(operand: Operand): string {
  if (!isWritten(operand)) return '';
  const { type, literal: text } = operand;
  return type.kind === 'struct'
    ? `; accepted are its members, such as ${text}.${type.members()[0]?.name ?? ''}`
    : `; accepted are its elements, such as ${text}[0]`;
}

/** Both operands in the type that they have together (Solidity documentation, "Operators"). */
function sameType(
  state: State,
  operator: string,
  left: Operand,
  right: Operand,
  at: number,
): [bigint, bigint, ValueType] {
  const type = sharedType(state, left, right, at);
  if (!type) refuse(operator, left, right, at);
  const wordOf = (operand: Operand): bigint => {
    const value = convert(state, operand, type, at, 'implicit');
    return value.kind === 'word' ? value.word : refuse(operator, left, right, at);
  };
  return [wordOf(left), wordOf(right), type];
}

function sharedType(
  state: State,
  left: Operand,
  right: Operand,
  at: number,
): ValueType | undefined {
  if (left.kind === 'word' && right.kind === 'word') {
    if (convertsWord(right.type, left.type)) return left.type;
    return convertsWord(left.type, right.type) ? right.type : undefined;
  }
  const [one, other] = left.kind === 'word' ? [left, right] : [right, left];
  if (one.kind !== 'word' || (other.kind !== 'literal' && !isText(other))) return undefined;
  const { type } = one;
  const own = other.kind === 'literal' && rangeOf(type) ? numberType(other) : undefined;
  const isWider = own && !canConvert(state, other, type, at) && convertsWord(type, own);
  return isWider ? own : type;
}

function arithmetic(operator: string, a: bigint, b: bigint, at: number): bigint {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      if (b === 0n) throw new ArithmeticError('division by zero', at);
      return operator === '/' ? a / b : a % b;
  }
}

/** @param wraps whether a value outside of the type is cut */
function within(type: ValueType, value: bigint, at: number, wraps: boolean): Value {
  if (wraps) return word(type, cleanWord(type, BigInt.asUintN(256, value)));
  const range = rangeOf(type);
  if (!range || (value >= range.min && value <= range.max)) return word(type, value);
  throw new ArithmeticError(`the result ${value} is outside of ${typeName(type)}`, at);
}

function shiftOrPower(
  operator: string,
  left: Operand,
  right: Operand,
  at: number,
  wraps: boolean,
): Operand {
  const by = countOf(right);
  if (left.kind === 'literal' && left.denominator === 1n && by !== undefined) {
    const type = { kind: left.numerator < 0n ? 'int' : 'uint', bits: 256 } as const;
    return shiftOrPower(operator, word(type, left.numerator), right, at, wraps);
  }
  if (left.kind !== 'word' || by === undefined || by < 0n) refuse(operator, left, right, at);
  const { type, word: bits } = left;
  const range = rangeOf(type);
  if (operator === '**') {
    if (!range) refuse(operator, left, right, at);
    const value = numberOf(type, bits);
    const small = value >= -1n && value <= 1n;
    if (wraps) return word(type, cleanWord(type, powerOfWords(bits, by)));
    // Beyond 256 doublings any other number is outside of its type.
    if (!small && by > 256n)
      throw new ArithmeticError(`the result is outside of ${typeName(type)}`, at);
    if (small) return word(type, powerOfWords(bits, by));
    return within(type, value ** by, at, wraps);
  }
  const isBytes = type.kind === 'fixedBytes';
  if (!range && !isBytes) refuse(operator, left, right, at);
  const size = BigInt(
    isBytes ? type.length * 8 : type.kind === 'uint' || type.kind === 'int' ? type.bits : 0,
  );
  const unused = isBytes ? 256n - size : 0n;
  const value = numberOf(type, bits) >> unused;
  const places = by > size ? size : by;
  const shifted =
    operator === '<<' ? BigInt.asUintN(Number(size), value << places) : value >> places;
  return word(type, type.kind === 'int' ? BigInt.asIntN(type.bits, shifted) : shifted << unused);
}

function countOf(operand: Operand): bigint | undefined {
  if (operand.kind === 'literal') {
    return operand.denominator === 1n ? operand.numerator : undefined;
  }
  return operand.kind === 'word' && operand.type.kind === 'uint' ? operand.word : undefined;
}

function literals(operator: string, left: Literal, right: Literal, at: number): Operand {
  const [a, b] = [left.numerator * right.denominator, right.numerator * left.denominator];
  if (COMPARISONS.has(operator)) return compare(operator, orderOf(a, b));
  const denominator = left.denominator * right.denominator;
  if (operator === '+') return bounded(literal(a + b, denominator), at);
  if (operator === '-') return bounded(literal(a - b, denominator), at);
  if (operator === '*') return bounded(literal(left.numerator * right.numerator, denominator), at);
  if (operator === '/') {
    if (b === 0n) throw new ExpressionError('division by zero', at);
    return bounded(b < 0n ? literal(-a, -b) : literal(a, b), at);
  }
  const isWhole = denominator === 1n;
  if (operator === '**') return bounded(literalPower(left, right, at), at);
  if (!isWhole) refuse(operator, left, right, at);
  if (operator === '%') {
    if (b === 0n) throw new ExpressionError('division by zero', at);
    return literal(a % b);
  }
  if (BITS.has(operator))
    return literal(operator === '&' ? a & b : operator === '|' ? a | b : a ^ b);
  if (b < 0n || b > MAX_BITS) {
    throw new ExpressionError(`shifts by 0 to ${MAX_BITS} bits are accepted, not by ${b}`, at);
  }
  return bounded(literal(operator === '<<' ? a << b : a >> b), at);
}

function literalPower(left: Literal, right: Literal, at: number): Literal {
  const { numerator: exponent } = right;
  const size = exponent < 0n ? -exponent : exponent;
  if (right.denominator !== 1n || size > MAX_BITS) {
    throw new ExpressionError(`whole exponents up to ${MAX_BITS} are accepted`, at);
  }
  const bits = BigInt(left.numerator.toString(2).length + left.denominator.toString(2).length);
  if (bits * size > 4n * MAX_BITS) throw new ExpressionError('the result is too large', at);
  const [a, b] = [left.numerator ** size, left.denominator ** size];
  if (exponent >= 0n) return literal(a, b);
  if (a === 0n) throw new ExpressionError('division by zero', at);
  return a < 0n ? literal(-b, -a) : literal(b, a);
}

function bounded(value: Literal, at: number): Literal {
  const limit = 1n << MAX_BITS;
  const { numerator, denominator } = value;
  if (numerator < limit && -numerator < limit && denominator < limit) return value;
  throw new ExpressionError(`numbers of up to ${MAX_BITS} bits are accepted`, at);
}

/** @throws ExpressionError */
export function unary(operator: string, operand: Operand, at: number, wraps = false): Operand {
  if (operand.kind === 'literal') {
    if (operator === '-') return literal(-operand.numerator, operand.denominator);
    if (operator === '~' && operand.denominator === 1n) return literal(~operand.numerator);
  } else if (operand.kind === 'word') {
    const { type, word: bits } = operand;
    if (operator === '!' && type.kind === 'bool') return bool(bits === 0n);
    if (operator === '-' && type.kind === 'int') {
      return within(type, -numberOf(type, bits), at, wraps);
    }
    if (operator === '~' && type.kind === 'uint')
      return word(type, BigInt.asUintN(type.bits, ~bits));
    if (operator === '~' && type.kind === 'int') return word(type, ~bits);
    if (operator === '~' && type.kind === 'fixedBytes') {
      const unused = BigInt(256 - type.length * 8);
      return word(type, BigInt.asUintN(256, (~bits >> unused) << unused));
    }
  }
  throw new ExpressionError(
    `"${operator}" is not defined for ${operandName(operand)}${partsOf(operand)}`,
    at,
  );
}
