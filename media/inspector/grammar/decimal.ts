const DECIMAL = /^(\d+)(?:\.(\d{1,18}))?$/;

/** A plain decimal of at most 18 places, times 10^18 (ether in wei); undefined for anything else. */
export function scaled(decimal: string): bigint | undefined {
  const [, integer, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  return integer === undefined ? undefined : BigInt(integer + fraction.padEnd(18, '0'));
}
