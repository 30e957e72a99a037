import type { Price } from '../../analysis/ports';

/**
 * Converts a JSON number to a price, exactly as written (its shortest decimal form).
 * @returns undefined for zero, negative and missing numbers
 */
export function priceOf(number: number | undefined): Price | undefined {
  if (number === undefined || !Number.isFinite(number) || number <= 0) return undefined;
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const decimals = fraction.length - Number(exponent);
  return decimals >= 0
    ? { value: digits, decimals }
    : { value: digits * 10n ** BigInt(-decimals), decimals: 0 };
}
