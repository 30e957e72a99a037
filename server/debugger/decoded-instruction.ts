import { OPCODES, pushedBytes } from './evm/opcodes';

const DUPN = 0xe6;
const SWAPN = 0xe7;
const EXCHANGE = 0xe8;
/** Instructions of Amsterdam (EIP-7843, EIP-8024). They are listed only: nothing here executes them step by step. */
const LATER: ReadonlyMap<number, string> = new Map([
  [0x4b, 'SLOTNUM'],
  [DUPN, 'DUPN'],
  [SWAPN, 'SWAPN'],
  [EXCHANGE, 'EXCHANGE'],
]);

/** Bytes of data after the instruction at an offset. Those of EIP-8024 have none where the next byte is not one of theirs. */
export function dataBytesAt(code: Uint8Array, pc: number): number {
  const byte = code[pc] ?? 0;
  return operandsAt(code, pc) === undefined ? pushedBytes(byte) : 1;
}

/** The instruction at an offset as text: `ADD`, `PUSH1 0x60`, `DUPN 17`, `INVALID_DUPN`. */
export function instructionText(code: Uint8Array, pc: number): string {
  const byte = code[pc] ?? 0;
  const name = OPCODES[byte]?.name ?? LATER.get(byte) ?? 'INVALID';
  if (byte >= DUPN && byte <= EXCHANGE) {
    const operands = operandsAt(code, pc);
    return operands === undefined ? `INVALID_${name}` : `${name} ${operands.join(' ')}`;
  }
  const data = code.subarray(pc + 1, pc + 1 + pushedBytes(byte));
  return data.length === 0 ? name : `${name} 0x${Buffer.from(data).toString('hex')}`;
}

/** EIP-8024: places in the stack. Undefined for other instructions, and where the next byte would be a JUMPDEST or PUSH of older rules. */
function operandsAt(code: Uint8Array, pc: number): readonly number[] | undefined {
  // Behind the end of a code there are zeros.
  const data = code[pc + 1] ?? 0;
  switch (code[pc]) {
    case DUPN:
    case SWAPN:
      return single(data);
    case EXCHANGE:
      return pair(data);
    default:
      return undefined;
  }
}

/** `decode_single` of EIP-8024. */
function single(data: number): [number] | undefined {
  if (data <= 90) return [data + 17];
  return data < 128 ? undefined : [data - 20];
}

/** `decode_pair` of EIP-8024. */
function pair(data: number): [number, number] | undefined {
  if (data > 79 && data < 128) return undefined;
  const number = data <= 79 ? data : data - 48;
  const [high, low] = [Math.floor(number / 16), number % 16];
  return high < low ? [high + 2, low + 2] : [low + 2, 30 - high];
}
