import type { Reading } from '../api/readings';
import { MAX_WORD } from '../api/word';
import { parameterName, quiet, type Names, type Segment } from './segment';
import { grouped, shortHex, shownText } from './text';

const TEXT_LIMIT = 64;
const LABEL_LIMIT = 40;
const TITLE_LIMIT = 600;
const SYMBOL_LIMIT = 24;
/** Tokens of one array or tuple on a line; the details show all of them. */
const TOKEN_LIMIT = 24;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HEX = /^0x[0-9a-f]*$/;
const INTEGER = /^-?\d+$/;
const MAX_UINT256 = String(MAX_WORD);
/** JSON text split into strings, bare scalars and punctuation; integers keep all their digits. */
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|[[\]{}:,]/g;

export function addressSegment(address: string, names: Names): Segment {
  if (address === '') return { kind: 'address', text: '?', plain: '' };
  const name = names(address);
  if (name === undefined) {
    const text = shortHex(address);
    return { kind: 'address', text, plain: address, title: address, whole: address };
  }
  const shown = shownText(name, LABEL_LIMIT);
  const title = `${shown}\n${address}`;
  return { kind: 'address', text: shown, plain: address, title, whole: address, foreign: name };
}

function folded(text: string, plain: string): Segment {
  if (text === plain) return { kind: 'value', text };
  return { kind: 'value', text, plain, title: shownText(plain, TITLE_LIMIT), whole: plain };
}

/** A plain integer with grouped thousands; the largest of 256 bits by its name. */
export function integerText(value: string): string {
  return value === MAX_UINT256 ? 'max uint256' : grouped(value);
}

function integerSegment(value: string): Segment {
  const text = integerText(value);
  return text === value ? { kind: 'value', text } : { ...folded(text, value), whole: text };
}

function textSegment(value: string): Segment {
  const text = folded(`"${shownText(value, TEXT_LIMIT)}"`, JSON.stringify(value));
  return { ...text, foreign: value };
}

function scalarSegment(value: string, names: Names): Segment {
  if (ADDRESS.test(value)) return addressSegment(value, names);
  if (HEX.test(value)) return folded(shortHex(value), value);
  if (INTEGER.test(value)) return integerSegment(value);
  if (value === 'true' || value === 'false') return { kind: 'value', text: value };
  return textSegment(value);
}

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** An amount with its unit, or a time: `2,000 hUSD`, `max hUSD`, `2026-01-31 12:00:00 UTC`. Untrusted symbols are made inert. */
export function readingText(
  { amount, symbol, asset = '', time = '' }: Reading,
  names: Names,
): string {
  if (amount === undefined) return time.replace('T', ' ').replace('Z', ' UTC');
  const unit = shownText(symbol ?? names(asset) ?? shortHex(asset), SYMBOL_LIMIT);
  return `${grouped(amount)} ${unit}`;
}

function readingSegment(reading: Reading, value: string, names: Names): Segment {
  const text = readingText(reading, names);
  const segment: Segment = { kind: 'value', text, plain: value, inUnits: text, title: value };
  const { amount, symbol, asset = '' } = reading;
  if (amount === undefined) return segment;
  const foreign = symbol ?? names(asset);
  return {
    ...segment,
    amount: grouped(amount),
    ...(foreign === undefined ? { whole: asset } : { foreign }),
  };
}

/** Where the tokens of a JSON text are: `[0].amountIn`. */
class JsonPath {
  readonly #open: { index: number; key: string | undefined }[] = [];

  /** The path of the next scalar; of a key, that of the component before it. */
  get text(): string {
    return this.#open
      .map(({ index, key }, depth) =>
        key === undefined ? `[${index}]` : depth === 0 ? key : `.${key}`,
      )
      .join('');
  }

  read(token: string): void {
    if (token === '[') this.#open.push({ index: 0, key: undefined });
    else if (token === '{') this.#open.push({ index: 0, key: '' });
    else if (token === ']' || token === '}') this.#open.pop();
    const top = this.#open.at(-1);
    if (token === ',' && top) top.index++;
  }

  enter(key: string): void {
    const top = this.#open.at(-1);
    if (top) top.key = key;
  }
}

function jsonSegments(json: string, names: Names, readings: readonly Reading[]): Segment[] {
  const segments: Segment[] = [];
  const path = new JsonPath();
  let last = '';
  let count = 0;
  for (const [token] of json.matchAll(JSON_TOKENS)) {
    if (++count > TOKEN_LIMIT) {
      const shown = quiet('…');
      return [...segments, { ...shown, title: shownText(json, TITLE_LIMIT) }];
    }
    path.read(token);
    if (token === ',') segments.push(quiet(', '));
    else if (token === ':') {
      segments.pop();
      const key = unquoted(last);
      path.enter(key);
      segments.push(...parameterName(shownText(key, TEXT_LIMIT)));
    } else if ('[]{}'.includes(token)) segments.push(quiet(token));
    else {
      const text = token.startsWith('"') ? unquoted(token) : token;
      const at = path.text;
      const reading = readings.find((one) => one.path === at);
      segments.push(reading ? readingSegment(reading, text, names) : scalarSegment(text, names));
    }
    last = token;
  }
  return segments;
}

/**
 * A decoded value as part of a line.
 * @param type the canonical ABI type, such as `uint256` or `(address,uint256)[]`
 * @param readings what its numbers mean
 */
export function valueSegments(
  type: string,
  value: string,
  names: Names,
  readings: readonly Reading[] = [],
): Segment[] {
  if (/[\])]$/.test(type)) {
    const segments = jsonSegments(value, names, readings);
    const shown = segments.map(({ text }) => text).join('');
    // Copied text contains the original value instead of the folded pieces.
    return segments.map((segment, index) => ({
      ...segment,
      plain: index === 0 ? value : '',
      ...(readings.length > 0 && { inUnits: segment.inUnits ?? segment.plain ?? segment.text }),
      ...(segment.title === undefined &&
        shown !== value && { title: shownText(value, TITLE_LIMIT) }),
    }));
  }
  const [reading] = readings;
  if (reading) return [readingSegment(reading, value, names)];
  if (type === 'string') return [textSegment(value)];
  if (/^u?int/.test(type) && INTEGER.test(value)) return [integerSegment(value)];
  return [scalarSegment(value, names)];
}
