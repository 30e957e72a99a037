import {
  BOOL,
  typeName,
  UINT256,
  type SolidityType,
  type UserDefinedType,
  type ValueType,
} from '../values/types';
import type { Value } from '../values/value';

/** A number whose type depends on where it is used. */
export interface Literal {
  readonly kind: 'literal';
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
  /** Digits of a hexadecimal literal, which may stand for bytes. */
  readonly hexDigits?: number;
}

/** A type, with what its name leads to: members of an enum or of a contract. */
export interface TypeOperand {
  readonly kind: 'type';
  readonly type: SolidityType;
  readonly member?: (name: string) => Operand | undefined;
}

/** Such as `msg`. */
export interface Namespace {
  readonly kind: 'namespace';
  readonly name: string;
  readonly members: readonly string[];
  readonly member: (name: string) => Operand | undefined;
}

export type Operand = Value | Literal | TypeOperand | Namespace;

export const literal = (numerator: bigint, denominator = 1n, hexDigits?: number): Literal => {
  const divisor = commonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return {
    kind: 'literal',
    numerator: numerator / divisor,
    denominator: denominator / divisor,
    ...(hexDigits !== undefined && { hexDigits }),
  };
};

function commonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small > 0n) [large, small] = [small, large % small];
  return large === 0n ? 1n : large;
}

export const word = (type: ValueType, value: bigint): Value => ({
  kind: 'word',
  type,
  word: BigInt.asUintN(256, value),
});

export const bool = (value: boolean): Value => word(BOOL, value ? 1n : 0n);

/** Values of the names that no declaration can have. */
export const LITERALS: ReadonlyMap<string, Value> = new Map([
  ['true', bool(true)],
  ['false', bool(false)],
]);
export const uint = (value: bigint): Value => word(UINT256, value);

/** Whether the expression writes an array or struct. */
export const isWritten = (
  operand: Operand,
): operand is Extract<Value, { kind: 'reference' }> & { readonly literal: string } =>
  operand.kind === 'reference' && operand.literal !== undefined;

/** Whether the expression writes a text or bytes. */
export const isText = (operand: Operand): boolean =>
  operand.kind === 'data' && operand.isLiteral === true;

/** The type of a value whose type has operators of its own, or none. */
export function userDefined(operand: Operand): UserDefinedType | undefined {
  const isValue = operand.kind === 'word' || operand.kind === 'missing';
  return isValue && operand.type.kind === 'userDefined' ? operand.type : undefined;
}

/** For messages. */
export function operandName(operand: Operand): string {
  if (operand.kind === 'literal') return 'a number';
  if (operand.kind === 'type') return `the type ${typeName(operand.type)}`;
  if (operand.kind === 'namespace') return operand.name;
  const type = typeName(operand.type);
  return isWritten(operand) ? `the literal ${operand.literal} of ${type}` : type;
}
