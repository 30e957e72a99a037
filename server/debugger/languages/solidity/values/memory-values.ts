import type { State } from './state';
import { isReference, type ReferenceType, type SolidityType, type StructType } from './types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from './value';
import { fromAbiWord, wordFault } from './words';

const WORD = 32n;
/** Where Solidity keeps the end of the used memory. */
const FREE_POINTER = 0x40;
/** Memory before it belongs to the compiler; the word at it is the empty list. */
const FIRST_DATA = 0x60n;

const end = ({ frame: { memory } }: State): bigint => {
  const free = memory.size >= FREE_POINTER + 32 ? memory.word(FREE_POINTER) : 0n;
  const size = BigInt(memory.size);
  return free > size ? free : size;
};

/** A word; memory that was never used is zero. @throws Unavailable beyond the used memory */
function wordAt(state: State, offset: bigint): bigint {
  if (offset + WORD > end(state)) {
    throw new Unavailable(`memory at ${offset} is beyond its end at ${end(state)}`);
  }
  return offset + WORD > BigInt(state.frame.memory.size)
    ? 0n
    : state.frame.memory.word(Number(offset));
}

/** The data that a pointer refers to. @throws Unavailable where it does not point into used memory */
export function memoryReference(state: State, type: ReferenceType, pointer: bigint): Value {
  const { memory } = state.frame;
  const free = memory.size >= FREE_POINTER + 32 ? memory.word(FREE_POINTER) : 0n;
  if (pointer < FIRST_DATA || pointer >= free) {
    throw new Unavailable(
      `the pointer 0x${pointer.toString(16)} is not in used memory (0x60 to 0x${free.toString(16)})`,
    );
  }
  const value = { kind: 'reference', type, place: { in: 'memory', offset: pointer } } as const;
  if (type.kind === 'bytes' || type.kind === 'string') memoryBytes(state, pointer, 0);
  else if (type.kind === 'array') memoryLength(state, type.length, pointer);
  return value;
}

/** The member or element at an offset: a value, or a pointer to it. @throws Unavailable */
export function memoryValue(state: State, type: SolidityType, offset: bigint): Value {
  const word = wordAt(state, offset);
  if (isReference(type)) return memoryReference(state, type, word);
  const own = fromAbiWord(type, word);
  const fault = wordFault(type, own);
  if (fault !== undefined) throw new Unavailable(fault);
  return { kind: 'word', type, word: own, origin: { in: 'memory' } };
}

/** @throws Unavailable */
export function memoryLength(state: State, fixed: bigint | undefined, pointer: bigint): bigint {
  const length = fixed ?? wordAt(state, pointer);
  const first = fixed === undefined ? pointer + WORD : pointer;
  if (first + length * WORD > end(state)) {
    throw new Unavailable(`its length would be ${length}, beyond the end of memory`);
  }
  return length;
}

export const memoryElement = (fixed: bigint | undefined, pointer: bigint, index: bigint): bigint =>
  pointer + (fixed === undefined ? WORD : 0n) + index * WORD;

/** Members of a struct in memory take a word each; mappings are left out. */
export function memoryMember(type: StructType, pointer: bigint, name: string): bigint | undefined {
  const members = type.members().filter(({ type: { kind } }) => kind !== 'mapping');
  const index = members.findIndex((member) => member.name === name);
  return index < 0 ? undefined : pointer + BigInt(index) * WORD;
}

/** @throws Unavailable */
export function memoryBytes(
  state: State,
  pointer: bigint,
  limit: number,
): { length: bigint; data: Uint8Array } {
  const length = wordAt(state, pointer);
  const first = pointer + WORD;
  if (first + length > end(state)) {
    throw new Unavailable(`its length would be ${length}, beyond the end of memory`);
  }
  const wanted = Math.min(Number(length), limit);
  const data = Buffer.alloc(wanted);
  data.set(state.frame.memory.read(Number(first), wanted));
  return { length, data };
}
