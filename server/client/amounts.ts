import { MAX_WORD } from '../api/word';
import { parseBlockReference } from '../api/chain-block';

/** Removes thousands separators. */
export const withoutSeparators = (text: string): string =>
  text.trim().replace(/(?<=\d)[,_ ](?=\d{3}(\D|$))/g, '');

/**
 * Parses an amount of an asset into its smallest unit: `1,000.5` with 18 decimals is 1000500000000000000000.
 * @returns undefined if the text is not an amount, has more decimals than the asset, or exceeds a word
 */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const plain = withoutSeparators(text);
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(plain) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  return amount > MAX_WORD ? undefined : amount;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Time of a fork's next block. */
export type ForkTime = { kind: 'at'; timestamp: number } | { kind: 'later'; seconds: number };

/**
 * Parses `+7 d`, `+3600`, `2026-01-31`, `2026-01-31T12:00Z` or Unix seconds. A time without an offset is UTC.
 * @returns undefined if the text is not a time
 */
export function parseForkTime(text: string): ForkTime | undefined {
  const value = text.trim();
  const [, count, unit = 's'] = /^\+\s*(\d{1,9})\s*(s|min|h|d|w)?$/.exec(value) ?? [];
  if (count !== undefined) {
    return { kind: 'later', seconds: Number(count) * (UNITS[unit] ?? 1) };
  }
  if (/^\d{9,11}$/.test(value)) return { kind: 'at', timestamp: Number(value) };
  const reference = parseBlockReference(value);
  return reference?.kind === 'time' ? { kind: 'at', timestamp: reference.time } : undefined;
}
