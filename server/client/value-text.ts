import { MAX_WORD } from '../api/word';
import type { Param } from '../api/decoding';
import type { Reading } from '../api/readings';

/** Text of an amount or a time. `symbol` is the asset's name: untrusted text. */
export type ReadingText = (reading: Reading) => string;

/** `2000 hUSD`, `max hUSD`, `2026-01-31T12:00:00Z`, without separators. */
export function plainReading({ amount, symbol, asset = '', time = '' }: Reading): string {
  return amount === undefined ? time : `${amount} ${symbol ?? asset}`;
}

const LARGEST = String(MAX_WORD);

/**
 * A value as text, with its amounts and times in words, where they are known, and `max` for the largest number of a word. Values inside
 * arrays and tuples are replaced in their JSON.
 */
export function valueText({ value, readings = [] }: Param, textOf: ReadingText): string {
  const [first] = readings;
  if (!first) return value === LARGEST ? 'max' : value;
  if (first.path === '') return textOf(first);
  const byPath = new Map(readings.map((reading) => [reading.path, textOf(reading)]));
  try {
    return JSON.stringify(replaced(JSON.parse(value), '', byPath));
  } catch {
    return value;
  }
}

function replaced(value: unknown, path: string, texts: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => replaced(item, `${path}[${index}]`, texts));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        replaced(item, path === '' ? name : `${path}.${name}`, texts),
      ]),
    );
  }
  return texts.get(path) ?? value;
}
