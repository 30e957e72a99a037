import { formatUnits } from 'ethers';
import type { Hex } from '../api/primitives';

/** A JSON-RPC quantity: `0x` hex without leading zeros. */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** 32-byte word of a number, as storage keys and values are written. */
export const toWord = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * An amount in its smallest unit as plain decimal text: no separators, no exponent, no trailing zeros (`"0"`, `"0.5"`, `"10"`).
 * @param decimals 18 for wei to ether
 */
export const toDecimal = (raw: bigint, decimals = 18): string =>
  formatUnits(raw, decimals).replace(/\.0$/, '');
