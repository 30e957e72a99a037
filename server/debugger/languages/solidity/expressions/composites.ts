import { encodeSequence } from '../values/encode';
import type { State } from '../values/state';
import {
  STRING,
  typeName,
  type ReferenceType,
  type SolidityType,
  type StructType,
} from '../values/types';
import type { Value } from '../values/value';
import { canConvert, convert, convertsTo, shown, takesLiteral } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import type { Names } from './names';
import { numberType } from './literals';
import { isText, operandName, type Operand } from './operands';
import type { Expression } from './parse';

/** An element of an array literal, or a value of a struct's member. */
export interface Part {
  readonly operand: Operand;
  readonly expression: Expression;
}

type Context = Pick<Names, 'state' | 'derives'>;

/** Characters of a literal in a message. */
const SHOWN_LENGTH = 60;

const shortened = (text: string): string =>
  text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;

/**
 * `[1, 2]`: an array in memory of as many elements (Solidity documentation, "Array Literals").
 * @throws ExpressionError; Unavailable where an element cannot be read
 */
export function arrayLiteral(
  context: Context,
  { text, at }: Extract<Expression, { kind: 'list' }>,
  parts: readonly Part[],
): Value {
  const [first, ...others] = parts;
  const literal = shortened(text);
  if (!first) {
    throw new ExpressionError(
      `the array literal ${literal} has no type; accepted is at least one element`,
      at,
    );
  }
  let base = mobileType(first, literal);
  for (const part of others) base = commonType(context, base, part, literal);
  const { state } = context;
  const values = parts.map(({ operand, expression }) =>
    convert(state, operand, base, expression.at, 'implicit'),
  );
  const type = { kind: 'array', base, length: BigInt(values.length) } as const;
  return encoded(state, type, values, literal);
}

/**
 * `Point(1, 2)` or `Point({x: 1, y: 2})`: a struct in memory (Solidity documentation, "Structs").
 * @throws ExpressionError; Unavailable where a value cannot be read
 */
export function structValue(
  context: Context,
  type: StructType,
  { names, text, at }: Extract<Expression, { kind: 'call' }>,
  parts: readonly Part[],
): Value {
  const members = type.members();
  const literal = shortened(text);
  const listed = members.map(({ name }) => name).join(', ');
  const mapping = members.find((member) => hasMapping(member.type));
  if (mapping) {
    throw new ExpressionError(
      `${literal} is not accepted: the member ${mapping.name} contains a mapping; accepted are structs without mappings`,
      at,
    );
  }
  const unknown = names?.find((name) => !members.some((member) => member.name === name));
  if (unknown !== undefined) {
    throw new ExpressionError(`${type.name} has no member ${unknown}; accepted are ${listed}`, at);
  }
  if (parts.length !== members.length) {
    throw new ExpressionError(
      `${literal} gives ${parts.length} of ${members.length} members; accepted are values of ${listed}`,
      at,
    );
  }
  const values = members.map((member, index) => {
    const part = parts[names ? names.indexOf(member.name) : index];
    if (!part) throw new RangeError(`${member.name} has no value`);
    const { operand, expression } = part;
    if (converts(context, part, member.type)) {
      return convert(context.state, operand, member.type, expression.at, 'implicit');
    }
    throw new ExpressionError(
      `${shown(operand)} is not accepted for the member ${member.name} of ${type.name}; accepted is ${typeName(member.type)}`,
      expression.at,
    );
  });
  return encoded(context.state, type, values, literal);
}

/** Composites are kept in the encoding of results, which is read as those are. */
function encoded(
  state: State,
  type: ReferenceType,
  values: readonly Value[],
  literal: string,
): Value {
  const members = type.kind === 'struct' ? type.members().map((member) => member.type) : undefined;
  const types = members ?? values.map((value) => value.type);
  const bytes = encodeSequence(state, types, values);
  const place = { in: 'calldata', offset: 0n, data: bytes } as const;
  return { kind: 'reference', type, place, literal };
}

function hasMapping(type: SolidityType, structs: ReadonlySet<string> = new Set()): boolean {
  if (type.kind === 'mapping') return true;
  if (type.kind === 'array') return hasMapping(type.base, structs);
  if (type.kind !== 'struct' || structs.has(type.name)) return false;
  const inner = new Set([...structs, type.name]);
  return type.members().some((member) => hasMapping(member.type, inner));
}

/** Whether Solidity converts a value without being asked to. */
function converts(
  { state, derives }: Context,
  { operand, expression: { at } }: Part,
  type: SolidityType,
): boolean {
  if (operand.kind === 'literal' || isText(operand)) {
    return takesLiteral(operand, type) && canConvert(state, operand, type, at);
  }
  if (operand.kind === 'type' || operand.kind === 'namespace') return false;
  return convertsTo(operand.type, type, derives);
}

/** The type that a value has by itself; of a number, the smallest. @throws ExpressionError where it is none of an element */
function mobileType({ operand, expression }: Part, literal: string): SolidityType {
  const { at } = expression;
  if (operand.kind === 'literal') {
    const type = numberType(operand);
    if (type) return type;
    throw new ExpressionError(
      `a number in the array literal ${literal} has no type; accepted are whole numbers of up to 256 bits`,
      at,
    );
  }
  // Also hex"…" is a string by itself.
  if (isText(operand)) return STRING;
  const type = operand.kind === 'type' || operand.kind === 'namespace' ? undefined : operand.type;
  const isTuple = type?.kind === 'struct' && type.isTuple === true;
  if (type && type.kind !== 'mapping' && !isTuple) return type;
  throw new ExpressionError(
    `${operandName(operand)} is not an element of the array literal ${literal}; accepted are values, texts, arrays and structs`,
    at,
  );
}

/** The one of two types that both elements convert to. @throws ExpressionError where there is none */
function commonType(
  context: Context,
  type: SolidityType,
  part: Part,
  literal: string,
): SolidityType {
  if (converts(context, part, type)) return type;
  const own = mobileType(part, literal);
  if (convertsTo(type, own, context.derives)) return own;
  throw new ExpressionError(
    `the elements of the array literal ${literal} have no common type: ${typeName(type)} and ${typeName(own)}; accepted are elements that convert to the type of one of them`,
    part.expression.at,
  );
}
