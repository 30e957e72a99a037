import { wordAt } from '../evm/word';
import type { State } from './state';
import {
  isReference,
  type ArrayType,
  type ReferenceType,
  type SolidityType,
  type StructType,
} from './types';
import { Unavailable, type Value } from './value';
import { fromAbiWord, wordFault } from './words';

const WORD = 32n;

/** A word of the call data. @throws Unavailable beyond its end */
function calldataWord({ frame }: State, offset: bigint): bigint {
  const { input } = frame.context;
  if (offset + WORD > BigInt(input.length)) {
    throw new Unavailable(`the call data has ${input.length} bytes, and the value is at ${offset}`);
  }
  return wordAt(input, Number(offset));
}

/** Contract ABI specification, "Formal Specification of the Encoding". */
function isDynamic(type: SolidityType): boolean {
  if (type.kind === 'bytes' || type.kind === 'string') return true;
  if (type.kind === 'array') return type.length === undefined || isDynamic(type.base);
  return type.kind === 'struct' && type.members().some((member) => isDynamic(member.type));
}

/** Bytes of a type within its surroundings: an offset for a dynamic one. */
function headBytes(type: SolidityType): bigint {
  if (isDynamic(type)) return WORD;
  if (type.kind === 'array') return (type.length ?? 0n) * headBytes(type.base);
  if (type.kind !== 'struct') return WORD;
  return type.members().reduce((sum, member) => sum + headBytes(member.type), 0n);
}

/**
 * The value at a head.
 * @param base what offsets count from
 * @throws Unavailable
 */
export function calldataValue(state: State, type: SolidityType, head: bigint, base: bigint): Value {
  if (!isReference(type)) {
    const word = fromAbiWord(type, calldataWord(state, head));
    const fault = wordFault(type, word);
    if (fault !== undefined) throw new Unavailable(fault);
    return { kind: 'word', type, word, origin: { in: 'calldata' } };
  }
  if (!isDynamic(type)) return calldataReference(state, type, head);
  const start = base + calldataWord(state, head);
  const hasLength = type.kind !== 'struct' && !(type.kind === 'array' && type.length !== undefined);
  if (!hasLength) return calldataReference(state, type, start);
  return calldataReference(state, type, start + WORD, calldataWord(state, start));
}

/** @param length of a dynamic array, bytes or string @throws Unavailable where the call data is too short */
export function calldataReference(
  { frame }: State,
  type: ReferenceType,
  offset: bigint,
  length?: bigint,
): Value {
  const size = BigInt(frame.context.input.length);
  const bytes =
    length === undefined ? 0n : type.kind === 'array' ? length * headBytes(type.base) : length;
  if (offset + bytes > size) {
    throw new Unavailable(`it would end at ${offset + bytes} of ${size} bytes of call data`);
  }
  const place = { in: 'calldata', offset, ...(length !== undefined && { length }) } as const;
  return { kind: 'reference', type, place };
}

/** @throws Unavailable */
export const calldataElement = (
  state: State,
  { base }: ArrayType,
  offset: bigint,
  index: bigint,
): Value => calldataValue(state, base, offset + index * headBytes(base), offset);

/** @throws Unavailable */
export function calldataMember(
  state: State,
  type: StructType,
  offset: bigint,
  name: string,
): Value | undefined {
  let head = offset;
  for (const member of type.members()) {
    if (member.name === name) return calldataValue(state, member.type, head, offset);
    head += headBytes(member.type);
  }
  return undefined;
}
