import { operandsAt } from '../../evm/interpreter/eip8024';
import { DUPN, EXCHANGE, OPCODES, pushedBytes } from '../../evm/interpreter/opcodes';

/** Bytes of data after the instruction at an offset. Those of EIP-8024 have none where the next byte is not one of theirs. */
export function dataBytesAt(code: Uint8Array, pc: number): number {
  const byte = code[pc] ?? 0;
  return operandsAt(code, pc) === undefined ? pushedBytes(byte) : 1;
}

/** The instruction at an offset as text: `ADD`, `PUSH1 0x60`, `DUPN 17`, `INVALID_DUPN`. */
export function instructionText(code: Uint8Array, pc: number): string {
  const byte = code[pc] ?? 0;
  const name = OPCODES[byte]?.name ?? 'INVALID';
  if (byte >= DUPN && byte <= EXCHANGE) {
    const operands = operandsAt(code, pc);
    return operands === undefined ? `INVALID_${name}` : `${name} ${operands.join(' ')}`;
  }
  const data = code.subarray(pc + 1, pc + 1 + pushedBytes(byte));
  return data.length === 0 ? name : `${name} 0x${Buffer.from(data).toString('hex')}`;
}
