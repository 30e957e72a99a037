import { isReference, typeName, type SolidityType } from './types';
import { Unavailable } from '../../port/unavailable';

/** Structs in structs. */
const MAX_DEPTH = 32;

/**
 * Contract ABI specification, "Mapping Solidity to ABI types".
 * @throws Unavailable for a struct that contains itself, and where members of a struct are not known
 */
export function abiType(type: SolidityType, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Unavailable('its type contains itself');
  if (type.kind === 'array') return `${abiType(type.base, depth + 1)}[${type.length ?? ''}]`;
  if (type.kind === 'struct') {
    const members = type.members().map((member) => abiType(member.type, depth + 1));
    return `(${members.join(',')})`;
  }
  if (isReference(type)) return typeName(type);
  if (type.kind === 'address' || type.kind === 'contract') return 'address';
  if (type.kind === 'enum') return 'uint8';
  if (type.kind === 'function') return 'function';
  return type.kind === 'userDefined' ? abiType(type.underlying, depth + 1) : typeName(type);
}
