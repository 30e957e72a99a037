import { wordAt } from '../../../../evm/interpreter/word';
import type { State } from './state';
import {
  isReference,
  type ArrayType,
  type ReferenceType,
  type SolidityType,
  type StructType,
} from './types';
import { Unavailable } from '../../port/unavailable';
import type { Place, Value } from './value';
import { fromAbiWord, wordFault } from './words';

const WORD = 32n;

/** ABI-encoded data: the call data of a frame, or what a function returned. */
export interface AbiData {
  readonly bytes: Uint8Array;
  readonly isResult: boolean;
}

export const abiData = (state: State, result: Uint8Array | undefined): AbiData => ({
  bytes: result ?? state.frame.context.input,
  isResult: result !== undefined,
});

const nameOf = ({ isResult }: AbiData): string => (isResult ? 'result' : 'call data');

/** A word of the data. @throws Unavailable beyond their end */
function abiWord(data: AbiData, offset: bigint): bigint {
  const { bytes } = data;
  if (offset + WORD > BigInt(bytes.length)) {
    throw new Unavailable(
      `the ${nameOf(data)} has ${bytes.length} bytes, and the value is at ${offset}`,
    );
  }
  return wordAt(bytes, Number(offset));
}

/** Contract ABI specification, "Formal Specification of the Encoding". */
export function isDynamic(type: SolidityType): boolean {
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
export function calldataValue(
  data: AbiData,
  type: SolidityType,
  head: bigint,
  base: bigint,
): Value {
  if (!isReference(type)) {
    const word = fromAbiWord(type, abiWord(data, head));
    const fault = wordFault(type, word);
    if (fault !== undefined) throw new Unavailable(fault);
    return { kind: 'word', type, word, ...(!data.isResult && { origin: { in: 'calldata' } }) };
  }
  if (!isDynamic(type)) return calldataReference(data, type, head);
  const start = base + abiWord(data, head);
  const hasLength = type.kind !== 'struct' && !(type.kind === 'array' && type.length !== undefined);
  if (!hasLength) return calldataReference(data, type, start);
  return calldataReference(data, type, start + WORD, abiWord(data, start));
}

/** @param length of a dynamic array, bytes or string @throws Unavailable where the data are too short */
export function calldataReference(
  data: AbiData,
  type: ReferenceType,
  offset: bigint,
  length?: bigint,
): Value {
  const size = BigInt(data.bytes.length);
  const bytes =
    length === undefined ? 0n : type.kind === 'array' ? length * headBytes(type.base) : length;
  if (offset + bytes > size) {
    throw new Unavailable(`it would end at ${offset + bytes} of ${size} bytes of ${nameOf(data)}`);
  }
  const place: Place = {
    in: 'calldata',
    offset,
    ...(length !== undefined && { length }),
    ...(data.isResult && { data: data.bytes }),
  };
  return { kind: 'reference', type, place };
}

/** @throws Unavailable */
export const calldataElement = (
  data: AbiData,
  { base }: ArrayType,
  offset: bigint,
  index: bigint,
): Value => calldataValue(data, base, offset + index * headBytes(base), offset);

/** @throws Unavailable */
export function calldataMember(
  data: AbiData,
  type: StructType,
  offset: bigint,
  name: string,
): Value | undefined {
  let head = offset;
  for (const member of type.members()) {
    if (member.name === name) return calldataValue(data, member.type, head, offset);
    head += headBytes(member.type);
  }
  return undefined;
}
