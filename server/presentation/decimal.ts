import { grouped } from './text';

const DECIMAL = /^(\d+)(?:\.(\d{1,18}))?$/;

/** Multiplies a plain decimal of at most 18 places by 10^18 (ether to wei); undefined for any other text. */
export function scaled(decimal: string): bigint | undefined {
  const [, integer, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  return integer === undefined ? undefined : BigInt(integer + fraction.padEnd(18, '0'));
}

/** A grouped plain decimal with a real minus sign below zero: `1,234.5`, `−1,234.5`. */
function withMinus(decimal: string): string {
  return grouped(decimal).replace(/^-/, '−');
}

/** A plain decimal as a change, with its sign unless it is 0: `+1,234.5`, `−1,234.5`. */
export function signed(decimal: string): string {
  if (decimal === '0') return decimal;
  return decimal.startsWith('-') ? withMinus(decimal) : `+${grouped(decimal)}`;
}
