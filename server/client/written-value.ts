/** Bytes of a value in a slot. */
export interface SlotPart {
  /** From the right end of the slot; default: 0. */
  readonly offset?: number | undefined;
  /** Default: those of the type. */
  readonly length?: number | undefined;
}

const WORD = 32;
/** Bytes of an enum or another short value. */
const SHORT = 8;
/** Digits of hex that are shown whole. */
const LONGEST = 20;

/**
 * A value in the word of a slot, as Solidity writes it: of a list its length. Of other types than numbers, bools, accounts and `bytesN` it is
 * a number if it is short, such as that of an enum, and hex otherwise.
 * @param type as the compiler or the debugger names it, such as `uint64`, `contract Token` or `bytes4`
 * @param word 0x and 64 hex digits
 */
export function writtenValue(type: string, word: string, { offset = 0, length }: SlotPart): string {
  const size = length ?? sizeOf(type);
  const own = BigInt.asUintN(8 * size, BigInt(word) >> BigInt(8 * offset));
  if (type === 'bool') return String(own !== 0n);
  if (/^uint\d*$/.test(type) || type.endsWith('[]')) return own.toString();
  if (/^int\d*$/.test(type)) return BigInt.asIntN(8 * size, own).toString();
  const isFixed = /^(address( payable)?|contract .+|bytes\d+)$/.test(type);
  if (isFixed) return `0x${own.toString(16).padStart(2 * size, '0')}`;
  return size <= SHORT ? own.toString() : shortWord(own);
}

function sizeOf(type: string): number {
  const [, kind = '', digits = ''] = /^([a-z]+)(\d*)/.exec(type) ?? [];
  if (kind === 'bool') return 1;
  if (kind === 'address' || kind === 'contract') return 20;
  if (kind === 'bytes' && digits !== '') return Number(digits);
  return (kind === 'uint' || kind === 'int') && digits !== '' ? Number(digits) / 8 : WORD;
}

/** Hex without leading zeros; of a long one the ends. */
function shortWord(word: bigint): string {
  const digits = word.toString(16);
  return digits.length <= LONGEST ? `0x${digits}` : `0x${digits.slice(0, 8)}…${digits.slice(-8)}`;
}
