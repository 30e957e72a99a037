import { DUPN, EXCHANGE, SWAPN } from './opcodes';

/**
 * Operands of an instruction of EIP-8024: places in the stack. Undefined for other instructions, and where the next byte is none of theirs,
 * since it would be a JUMPDEST or PUSH of older rules.
 */
export function operandsAt(code: Uint8Array, pc: number): readonly number[] | undefined {
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
const single = (data: number): [number] | undefined =>
  data > 90 && data < 128 ? undefined : [(data + 145) % 256];

/** `decode_pair` of EIP-8024. */
function pair(data: number): [number, number] | undefined {
  if (data > 81 && data < 128) return undefined;
  const number = data ^ 143;
  const [high, low] = [number >> 4, number % 16];
  return high < low ? [high + 1, low + 1] : [low + 1, 29 - high];
}
