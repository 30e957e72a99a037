import type { Hex } from '../api/primitives';

const PREVRANDAO = 0x44;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Whether code has the opcode PREVRANDAO (EIP-4399). Data behind the code may look like one: then it is yes as well. */
export function readsRandomness(code: Hex): boolean {
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (let i = 0; i < bytes.length; i++) {
    const opcode = bytes[i] ?? 0;
    if (opcode === PREVRANDAO) return true;
    if (opcode >= PUSH1 && opcode <= PUSH32) i += opcode - PUSH1 + 1;
  }
  return false;
}
