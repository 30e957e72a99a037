import { MAX_WORD } from '../../../../evm/interpreter/word';
import { abiType } from '../values/abi-type';
import { wholeBytes } from '../values/access';
import { elementaryType } from '../values/elementary';
import type { State } from '../values/state';
import {
  isReference,
  packedBytes,
  typeName,
  type ReferenceType,
  type SolidityType,
  type ValueType,
} from '../values/types';
import type { Value } from '../values/value';
import { cleanWord, wordFault } from '../values/words';
import { ExpressionError } from '../../port/expression-error';
import type { Names } from './names';
import { isText, isWritten, operandName, word, type Literal, type Operand } from './operands';

/** A number within its type: negative ones of `intN` below zero. */
export function numberOf(type: ValueType, bits: bigint): bigint {
  if (type.kind === 'userDefined') return numberOf(type.underlying, bits);
  return type.kind === 'int' ? BigInt.asIntN(256, bits) : bits;
}

/** `uint8(300)` as before Solidity 0.8; undefined where the type has no range, or the literal is no whole number. */
export function cutLiteral(
  { numerator, denominator }: Literal,
  type: ValueType,
): Value | undefined {
  if (denominator !== 1n || !rangeOf(type)) return undefined;
  return word(type, cleanWord(type, BigInt.asUintN(256, numerator)));
}

/** Least and greatest value. */
export function rangeOf(type: ValueType): { min: bigint; max: bigint } | undefined {
  if (type.kind === 'uint') return { min: 0n, max: (1n << BigInt(type.bits)) - 1n };
  if (type.kind !== 'int') return undefined;
  const half = 1n << BigInt(type.bits - 1);
  return { min: -half, max: half - 1n };
}

/** The elementary type of a name; undefined for other names. */
export const typeNamed = (name: string): Operand | undefined => {
  const type = elementaryType(name);
  return type && { kind: 'type', type };
};

/** The leftmost bytes of a word. */
export const bytesOfWord = (bits: bigint, length: number): Uint8Array =>
  Buffer.from(bits.toString(16).padStart(64, '0'), 'hex').subarray(0, length);

/** The bytes of a text, or of `bytes`; undefined for other values. @throws Unavailable */
export const dataOf = (state: State, operand: Operand): Uint8Array | undefined =>
  operand.kind === 'data' || operand.kind === 'reference' ? wholeBytes(state, operand) : undefined;

/**
 * Converts as Solidity does.
 * @param mode `implicit`: where another type is expected; `explicit`: as in `uint8(x)`
 * @throws ExpressionError; Unavailable
 */
export function convert(
  state: State,
  operand: Operand,
  type: SolidityType,
  at: number,
  mode: 'implicit' | 'explicit',
): Value {
  const converted = isReference(type)
    ? toReference(state, operand, type, mode)
    : operand.kind === 'literal'
      ? fromLiteral(operand, type, mode)
      : toValue(state, operand, type, mode);
  if (converted) return converted;
  throw refusedAs(operand, type, at);
}

/** Why a value is refused where a type is expected. */
export const refusedAs = (operand: Operand, type: SolidityType, at: number): ExpressionError =>
  new ExpressionError(
    `${shown(operand)} is not of type ${typeName(type)}${acceptedInstead(operand, type)}`,
    at,
  );

/** What an array that an expression writes has to be. */
function acceptedInstead(operand: Operand, type: SolidityType): string {
  if (!isWritten(operand) || operand.type.kind !== 'array' || type.kind !== 'array') return '';
  if (type.length === undefined) {
    return `: an array literal has a fixed length; accepted are variables and results of the type ${typeName(type)}`;
  }
  return operand.type.length === type.length
    ? `; accepted are elements of the type ${typeName(type.base)}, where the first one may be converted, such as [${typeName(type.base)}(…), …]`
    : `; accepted are ${type.length} elements`;
}

/** As `convert` without being asked to. */
export function canConvert(
  state: State,
  operand: Operand,
  type: SolidityType,
  at: number,
): boolean {
  try {
    convert(state, operand, type, at, 'implicit');
    return true;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return false;
  }
}

/**
 * Whether Solidity converts values of one type to another without being asked to (Solidity documentation, "Implicit Conversions").
 * @param derives whether a contract has another one as its base
 */
export function convertsTo(
  from: SolidityType,
  to: SolidityType,
  derives: Names['derives'],
): boolean {
  if (typeName(from) === typeName(to)) return true;
  if ((from.kind === 'uint' || from.kind === 'int') && from.kind === to.kind) {
    return from.bits <= to.bits;
  }
  if (from.kind === 'fixedBytes' && to.kind === 'fixedBytes') return from.length <= to.length;
  if (from.kind === 'contract' && to.kind === 'contract') return derives(from.name, to.name);
  return from.kind === 'address' && to.kind === 'address' && from.isPayable;
}

/** Whether literals of this kind stand for values of a type (Solidity documentation, "Conversions between Literals and Elementary Types"). */
export const takesLiteral = (operand: Operand, { kind }: SolidityType): boolean =>
  kind === 'fixedBytes' ||
  (operand.kind === 'literal'
    ? kind === 'uint' || kind === 'int'
    : kind === 'string' || kind === 'bytes');

/** Whether a function takes a value, as far as its type decides it. */
export function isArgument(
  operand: Operand,
  type: SolidityType,
  derives: Names['derives'],
): boolean {
  if (operand.kind === 'literal' || isText(operand)) return takesLiteral(operand, type);
  return operand.kind !== 'word' || convertsWord(operand.type, type, derives);
}

/** As `convertsTo`, where accounts are contracts and the other way round, as before Solidity 0.5. */
export const convertsWord = (
  from: ValueType,
  to: SolidityType,
  derives: Names['derives'] = () => false,
): boolean => (isAccount(from) && isAccount(to)) || convertsTo(from, to, derives);

const isAccount = ({ kind }: SolidityType): boolean => kind === 'address' || kind === 'contract';

/** A value in messages. */
export function shown(operand: Operand): string {
  if (operand.kind === 'literal') {
    const { numerator, denominator } = operand;
    return `the number ${numerator}${denominator === 1n ? '' : `/${denominator}`}`;
  }
  return isWritten(operand) ? operandName(operand) : `a value of ${operandName(operand)}`;
}

function toReference(
  state: State,
  operand: Operand,
  type: ReferenceType,
  mode: 'implicit' | 'explicit',
): Value | undefined {
  if (type.kind !== 'bytes' && type.kind !== 'string') return sameReference(operand, type);
  if (operand.kind !== 'data' && operand.kind !== 'reference') return undefined;
  const isOther = operand.type.kind !== type.kind && !isText(operand);
  const data = mode === 'implicit' && isOther ? undefined : dataOf(state, operand);
  return data && { kind: 'data', type, data };
}

/** Arrays and structs are of one type where their elements are; only functions take them. */
function sameReference(operand: Operand, type: SolidityType): Value | undefined {
  const isList = type.kind === 'array' || type.kind === 'struct';
  if (!isList || operand.kind !== 'reference' || operand.type.kind !== type.kind) return undefined;
  if (typeName(operand.type) === typeName(type)) return operand;
  // The names of a literal's types are those of the source.
  if (isWritten(operand)) return undefined;
  return abiType(operand.type) === abiType(type) ? operand : undefined;
}

function fromLiteral(
  { numerator, denominator, hexDigits }: Literal,
  type: ValueType,
  mode: 'implicit' | 'explicit',
): Value | undefined {
  if (denominator !== 1n) return undefined;
  const range = rangeOf(type);
  if (range) {
    return numerator >= range.min && numerator <= range.max ? word(type, numerator) : undefined;
  }
  if (type.kind === 'fixedBytes') {
    const isAll = hexDigits === type.length * 2;
    return isAll || numerator === 0n
      ? word(type, numerator << BigInt(256 - type.length * 8))
      : undefined;
  }
  if (type.kind === 'userDefined') {
    const inner = fromLiteral(
      { kind: 'literal', numerator, denominator, ...(hexDigits !== undefined && { hexDigits }) },
      type.underlying,
      mode,
    );
    return inner?.kind === 'word' ? word(type, inner.word) : undefined;
  }
  const isNumbered = ['address', 'contract', 'enum', 'other'].includes(type.kind);
  if (!isNumbered || mode === 'implicit' || numerator < 0n) return undefined;
  return wordFault(type, numerator) === undefined ? word(type, numerator) : undefined;
}

function toValue(
  state: State,
  operand: Operand,
  type: ValueType,
  mode: 'implicit' | 'explicit',
): Value | undefined {
  if (operand.kind === 'data' || operand.kind === 'reference') {
    const data = dataOf(state, operand);
    return data && fromBytes(operand, data, type, mode);
  }
  if (operand.kind !== 'word') return undefined;
  const { type: from, word: bits } = operand;
  if (typeName(from) === typeName(type)) return operand;
  if (isAccount(from) && isAccount(type)) return word(type, bits);
  if (mode === 'implicit') return widened(from, bits, type);
  return explicit(from, bits, type);
}

function widened(from: ValueType, bits: bigint, type: ValueType): Value | undefined {
  const range = rangeOf(type);
  if (range && rangeOf(from)) {
    const value = numberOf(from, bits);
    return from.kind === type.kind && value >= range.min && value <= range.max
      ? word(type, value)
      : undefined;
  }
  const isLonger =
    from.kind === 'fixedBytes' && type.kind === 'fixedBytes' && from.length <= type.length;
  return isLonger ? word(type, bits) : undefined;
}

function explicit(from: ValueType, bits: bigint, type: ValueType): Value | undefined {
  if (type.kind === 'uint' || type.kind === 'int') {
    const value = from.kind === 'fixedBytes' ? bits >> BigInt(256 - from.length * 8) : bits;
    const isNumber =
      rangeOf(from) !== undefined ||
      ['fixedBytes', 'enum', 'address', 'contract'].includes(from.kind);
    if (!isNumber) return undefined;
    return word(
      type,
      type.kind === 'uint' ? BigInt.asUintN(type.bits, value) : BigInt.asIntN(type.bits, value),
    );
  }
  if (type.kind === 'fixedBytes') {
    const keep = MAX_WORD << BigInt(256 - type.length * 8);
    if (from.kind === 'fixedBytes') return word(type, bits & keep);
    const isSameSize = packedBytes(from) === type.length;
    return isSameSize && (from.kind === 'uint' || isAccount(from))
      ? word(type, bits << BigInt(256 - type.length * 8))
      : undefined;
  }
  if (isAccount(type)) {
    if (packedBytes(from) > 20) return undefined;
    if (from.kind === 'fixedBytes') return from.length === 20 ? word(type, bits >> 96n) : undefined;
    return from.kind === 'uint' ? word(type, bits) : undefined;
  }
  const isMember = type.kind === 'enum' && rangeOf(from) && wordFault(type, bits) === undefined;
  return isMember ? word(type, bits) : undefined;
}

/** `bytesN` with zeros at the right: of a text that is written, or of the first bytes of `bytes` (as since Solidity 0.8.5). */
function fromBytes(
  operand: Value,
  data: Uint8Array,
  type: ValueType,
  mode: 'implicit' | 'explicit',
): Value | undefined {
  if (type.kind !== 'fixedBytes') return undefined;
  const isAccepted = isText(operand)
    ? data.length <= type.length
    : mode === 'explicit' && operand.type.kind === 'bytes';
  const first = Buffer.from(data).subarray(0, type.length).toString('hex');
  return isAccepted ? word(type, BigInt(`0x${first.padEnd(64, '0')}`)) : undefined;
}
