import { grouped } from './text';

/** Converts a plain decimal of USD to cents, rounded half away from zero; undefined if the text is not a plain decimal. */
export function cents(usd: string): bigint | undefined {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(usd);
  if (!parts) return undefined;
  const [, integer = '', fraction = ''] = parts;
  const digits = fraction.padEnd(3, '0');
  return (
    BigInt(integer) * 100n + BigInt(digits.slice(0, 2)) + ((digits[2] ?? '0') >= '5' ? 1n : 0n)
  );
}

/** `$1,234.50`, without a sign; `<$0.01` for less than half a cent. */
export function usdText(amount: bigint): string {
  if (amount === 0n) return '<$0.01';
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `$${grouped(`${digits.slice(0, -2)}.${digits.slice(-2)}`)}`;
}
