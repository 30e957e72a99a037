import type { Hex } from '../../api/primitives';

/** A JSON-RPC quantity: `0x` hex without leading zeros. */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** A number as a 32-byte word, the format of storage keys and values. */
export const toWord = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * Converts an amount in its smallest unit to plain decimal text: no separators, no exponent, no trailing zeros (`"0"`, `"0.5"`, `"10"`).
 * @param decimals 18 for wei to ether
 */
export function toDecimal(raw: bigint, decimals = 18): string {
  if (raw === 0n) return '0';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${raw < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}
