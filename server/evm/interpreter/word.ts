import { MAX_WORD } from '../../api/word';

/* Words of the EVM are bigints from 0 to 2^256 - 1. */

export { MAX_WORD };

const WORD_BITS = 256;
const SIGN_BIT = 1n << 255n;

export const wrap = (value: bigint): bigint => BigInt.asUintN(WORD_BITS, value);
export const signed = (word: bigint): bigint => BigInt.asIntN(WORD_BITS, word);

/** Truncates towards zero; 0 for a division by zero. */
export const signedDivide = (a: bigint, b: bigint): bigint =>
  b === 0n ? 0n : wrap(signed(a) / signed(b));

/** The sign of the dividend; 0 for a division by zero. */
export const signedRemainder = (a: bigint, b: bigint): bigint =>
  b === 0n ? 0n : wrap(signed(a) % signed(b));

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = wrap(result * square);
    square = wrap(square * square);
  }
  return result;
}

/** @param byte place of the byte that holds the sign, from the right */
export const signExtend = (byte: bigint, value: bigint): bigint =>
  byte >= 31n ? value : wrap(BigInt.asIntN(Number(byte + 1n) * 8, value));

/** @param place from the left */
export const byteAt = (place: bigint, value: bigint): bigint =>
  place >= 32n ? 0n : (value >> ((31n - place) * 8n)) & 0xffn;

export const shiftLeft = (by: bigint, value: bigint): bigint =>
  by >= 256n ? 0n : wrap(value << by);

export const shiftRight = (by: bigint, value: bigint): bigint => (by >= 256n ? 0n : value >> by);

export function shiftRightSigned(by: bigint, value: bigint): bigint {
  if (by < 256n) return wrap(signed(value) >> by);
  return value & SIGN_BIT ? MAX_WORD : 0n;
}

/** EIP-7939. */
export const leadingZeros = (value: bigint): bigint =>
  value === 0n ? 256n : BigInt(WORD_BITS - value.toString(2).length);

export const byteLength = (value: bigint): number =>
  value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);

const ADDRESS_BITS = 160;

/** Lower case. */
export const toAddress = (word: bigint): string =>
  `0x${BigInt.asUintN(ADDRESS_BITS, word).toString(16).padStart(40, '0')}`;

/** Integers of so many bytes are exact as numbers. */
const SAFE_BYTES = 6;

/** @returns the word of some bytes, big-endian; bytes beyond the end are zero */
export function wordAt(bytes: Uint8Array, offset: number, length = 32): bigint {
  if (length <= SAFE_BYTES) {
    // Most pushed values: several times faster than text.
    let value = 0;
    for (let at = offset; at < offset + length; at++) value = value * 256 + (bytes[at] ?? 0);
    return BigInt(value);
  }
  const end = offset + length;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = view.toString('hex', offset, Math.min(end, bytes.length)).padEnd(length * 2, '0');
  return text === '' ? 0n : BigInt(`0x${text}`);
}

/** @returns 32 bytes, big-endian */
export const toBytes32 = (word: bigint): Uint8Array =>
  Buffer.from(word.toString(16).padStart(64, '0'), 'hex');
