import type { Hex } from '../../api/primitives';

export const OPCODES = { BLOCKHASH: 0x40, PREVRANDAO: 0x44, SELFDESTRUCT: 0xff } as const;

const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** Whether code contains an opcode. Data after the code may look like one, which also returns true. */
export function containsOpcode(code: Hex, wanted: number): boolean {
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (let i = 0; i < bytes.length; i++) {
    const opcode = bytes[i] ?? 0;
    if (opcode === wanted) return true;
    if (opcode >= PUSH1 && opcode <= PUSH32) i += opcode - PUSH1 + 1;
  }
  return false;
}
