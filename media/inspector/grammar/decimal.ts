import { grouped } from './text';

const DECIMAL = /^(\d+)(?:\.(\d{1,18}))?$/;

/** A plain decimal of at most 18 places, times 10^18 (ether in wei); undefined for anything else. */
export function scaled(decimal: string): bigint | undefined {
  const [, integer, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  return integer === undefined ? undefined : BigInt(integer + fraction.padEnd(18, '0'));
}

/** A plain decimal grouped, below zero with a real minus sign: `1,234.5`, `−1,234.5`. */
function withMinus(decimal: string): string {
  return grouped(decimal).replace(/^-/, '−');
}

/** A plain decimal as a change, which always has its sign: `+1,234.5`, `−1,234.5`. */
export function signed(decimal: string): string {
  return decimal.startsWith('-') ? withMinus(decimal) : `+${grouped(decimal)}`;
}
