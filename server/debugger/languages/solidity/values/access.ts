import { toBytes32 } from '../../../../evm/interpreter/word';
import { abiData, calldataElement, calldataMember } from './calldata-values';
import {
  memoryBytes,
  memoryElement,
  memoryLength,
  memoryMember,
  memoryValue,
} from './memory-values';
import type { State } from './state';
import {
  storageBytes,
  storageElement,
  storageEntry,
  storageLength,
  storageValue,
} from './storage-values';
import { BYTE, type ArrayType, type SolidityType } from './types';
import { Unavailable } from '../../port/unavailable';
import { orMissing, type Value } from './value';

export type Reference = Extract<Value, { kind: 'reference' }>;

/** Bytes of a `bytes` or `string` that are read at most. */
const MAX_BYTES = 65_536;

/** @throws Unavailable */
export function lengthOf(state: State, { type, place }: Reference): bigint {
  if (type.kind === 'bytes' || type.kind === 'string') {
    return bytesOf(state, { kind: 'reference', type, place }, 0).length;
  }
  if (type.kind !== 'array') throw new Unavailable('it has no length');
  if (place.in === 'memory') return memoryLength(state, type.length, place.offset);
  if (place.in === 'calldata') return type.length ?? place.length ?? 0n;
  return storageLength(state, type, place);
}

/** @throws Unavailable */
export function bytesOf(
  state: State,
  { place }: Reference,
  limit = MAX_BYTES,
): { length: bigint; data: Uint8Array } {
  if (place.in === 'memory') return memoryBytes(state, place.offset, limit);
  if (place.in !== 'calldata') return storageBytes(state, place, limit);
  const { bytes } = abiData(state, place.data);
  const { offset, length = 0n } = place;
  const first = Number(offset);
  return { length, data: bytes.slice(first, first + Math.min(Number(length), limit)) };
}

/** The bytes of a text, or of `bytes`; undefined for other values. @throws Unavailable where not all of them are read */
export function wholeBytes(state: State, value: Value): Uint8Array | undefined {
  if (value.kind === 'data') return value.data;
  if (value.kind !== 'reference') return undefined;
  const { kind } = value.type;
  if (kind !== 'bytes' && kind !== 'string') return undefined;
  const { data, length } = bytesOf(state, value);
  if (BigInt(data.length) === length) return data;
  throw new Unavailable(`only the first ${data.length} of its ${length} bytes are read`);
}

/** An element of an array, or a byte. @throws Unavailable also where the index is not below the length */
export function elementOf(state: State, reference: Reference, index: bigint): Value {
  const { type, place } = reference;
  const length = lengthOf(state, reference);
  if (index < 0n || index >= length) {
    throw new Unavailable(`the index ${index} is not below the length ${length}`);
  }
  if (type.kind === 'bytes' || type.kind === 'string') return byteOf(state, reference, index);
  const array = type as ArrayType;
  if (place.in === 'memory') {
    return memoryValue(state, array.base, memoryElement(array.length, place.offset, index));
  }
  if (place.in === 'calldata') {
    return calldataElement(abiData(state, place.data), array, place.offset, index);
  }
  return storageValue(state, array.base, storageElement(array, place, index));
}

/** An element of several results. @throws Unavailable where the index is not below their number */
export function resultAt(state: State, reference: Reference, index: bigint): Value {
  const { type } = reference;
  const members = type.kind === 'struct' ? type.members() : [];
  const member = index < 0n ? undefined : members[Number(index)];
  if (member) return readable(member.type, () => memberOf(state, reference, member.name));
  throw new Unavailable(`the index ${index} is not below the length ${members.length}`);
}

function byteOf(state: State, reference: Reference, index: bigint): Value {
  const { data } = bytesOf(state, reference);
  const byte = data[Number(index)];
  if (byte === undefined) throw new Unavailable(`only the first ${MAX_BYTES} bytes are read`);
  return { kind: 'word', type: BYTE, word: BigInt(byte) << 248n };
}

/** A member of a struct; undefined where it has none of the name. @throws Unavailable */
export function memberOf(
  state: State,
  { type, place }: Reference,
  name: string,
): Value | undefined {
  if (type.kind !== 'struct') return undefined;
  if (place.in === 'calldata') {
    return calldataMember(abiData(state, place.data), type, place.offset, name);
  }
  const member = type.members().find((one) => one.name === name);
  if (!member) return undefined;
  if (member.unavailable !== undefined) throw new Unavailable(member.unavailable);
  if (place.in === 'memory') {
    const offset = memoryMember(type, place.offset, name);
    if (offset === undefined) throw new Unavailable('mappings are in storage only');
    return memoryValue(state, member.type, offset);
  }
  const slot = BigInt.asUintN(256, place.slot + member.slot);
  return storageValue(state, member.type, { ...place, slot, offset: member.offset });
}

/** The entry of a mapping. @param key word of a value type, or bytes */
export function entryOf(state: State, { type, place }: Reference, key: bigint | Uint8Array): Value {
  if (type.kind !== 'mapping' || place.in === 'memory' || place.in === 'calldata') {
    throw new Unavailable('it is not a mapping');
  }
  const bytes = typeof key === 'bigint' ? toBytes32(key) : key;
  return storageValue(state, type.value, storageEntry(place, bytes));
}

/** The value of a member or element; missing where it cannot be read. */
export const readable = (type: SolidityType, read: () => Value | undefined): Value =>
  orMissing(type, () => read() ?? { kind: 'missing', type, reason: 'there is no such member' });
