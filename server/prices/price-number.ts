import type { Price } from '../analysis/ports';

/**
 * A price from a JSON number, exactly as it was written (its shortest decimal form).
 * @returns undefined for what is no price: zero, negative, missing
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
