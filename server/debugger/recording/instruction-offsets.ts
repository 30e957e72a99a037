import { lastUpTo } from '../../contracts/sources/last-up-to';
import { dataBytesAt } from './decoded-instruction';

const offsetsOf = new WeakMap<Uint8Array, Uint32Array>();

/** Offset of each instruction of a code. */
export function offsetsIn(code: Uint8Array): Uint32Array {
  const known = offsetsOf.get(code);
  if (known) return known;
  const offsets: number[] = [];
  for (let pc = 0; pc < code.length; pc += 1 + dataBytesAt(code, pc)) offsets.push(pc);
  const found = Uint32Array.from(offsets);
  offsetsOf.set(code, found);
  return found;
}

/** Index of the instruction that contains an offset. */
export const instructionAt = (code: Uint8Array, pc: number): number =>
  lastUpTo(offsetsIn(code), pc);
