import type { State } from '../values/state';
import { isReference, STRING, type SolidityType } from '../values/types';
import { convert, rangeOf } from './conversions';
import { ExpressionError } from '../../port/expression-error';
import type { Names } from './names';
import { operandName, word, type Operand } from './operands';

/** `type(uint8)` and `type(Shop)` with their members. @throws ExpressionError for types that have none */
export function membersOfType(names: Names, operand: Operand, at: number): Operand {
  const type = operand.kind === 'type' && !isReference(operand.type) ? operand.type : undefined;
  if (type?.kind === 'contract') return membersOfContract(names, type.name);
  const range = type && rangeOf(type);
  const last = type?.kind === 'enum' ? type.members?.length : undefined;
  const limits = range ?? (last === undefined ? undefined : { min: 0n, max: BigInt(last - 1) });
  if (!type || !limits) {
    throw new ExpressionError('type takes a type of whole numbers or an enum', at);
  }
  return {
    kind: 'namespace',
    name: `type(${operandName(operand).replace('the type ', '')})`,
    members: ['min', 'max'],
    member: (name) => (name === 'min' || name === 'max' ? word(type, limits[name]) : undefined),
  };
}

/** `Price.wrap(1)` and `Price.unwrap(price)`. @throws ExpressionError */
export function wrapped(
  state: State,
  type: SolidityType,
  how: string,
  operand: Operand,
  at: number,
): Operand {
  if (type.kind !== 'userDefined') {
    throw new ExpressionError(`${operandName({ kind: 'type', type })} has no member ${how}`, at);
  }
  const [from, to] = how === 'wrap' ? [type.underlying, type] : [type, type.underlying];
  const value = convert(state, operand, from, at, 'implicit');
  return value.kind === 'word' ? word(to, value.word) : value;
}

const membersOfContract = (names: Names, contract: string): Operand => ({
  kind: 'namespace',
  name: `type(${contract})`,
  members: ['name', 'interfaceId'],
  member: (name) => {
    if (name === 'interfaceId') return names.interfaceId(contract);
    return name === 'name'
      ? { kind: 'data', type: STRING, data: Buffer.from(contract) }
      : undefined;
  },
});
