import { quiet, type Names, type Segment } from './segment';
import { grouped, shortHex, shownText } from './text';

const TEXT_LIMIT = 64;
const LABEL_LIMIT = 40;
const TITLE_LIMIT = 600;
/** Tokens of one array or tuple on a line; the details show all of them. */
const TOKEN_LIMIT = 24;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HEX = /^0x[0-9a-f]*$/;
const INTEGER = /^-?\d+$/;
const MAX_UINT256 = String(2n ** 256n - 1n);
/** JSON text split into strings, bare scalars and punctuation; integers keep all their digits. */
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|[[\]{}:,]/g;

export function addressSegment(address: string, names: Names): Segment {
  const name = names(address);
  if (name === undefined) {
    return { kind: 'address', text: shortHex(address), plain: address, title: address };
  }
  const shown = shownText(name, LABEL_LIMIT);
  return { kind: 'address', text: shown, plain: address, title: `${shown}\n${address}` };
}

function folded(text: string, plain: string): Segment {
  if (text === plain) return { kind: 'value', text };
  return { kind: 'value', text, plain, title: shownText(plain, TITLE_LIMIT) };
}

function integerSegment(value: string): Segment {
  return folded(value === MAX_UINT256 ? 'max uint256' : grouped(value), value);
}

function textSegment(value: string): Segment {
  return folded(`"${shownText(value, TEXT_LIMIT)}"`, JSON.stringify(value));
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

function jsonSegments(json: string, names: Names): Segment[] {
  const segments: Segment[] = [];
  let count = 0;
  for (const [token] of json.matchAll(JSON_TOKENS)) {
    if (++count > TOKEN_LIMIT) {
      const shown = quiet('…');
      return [...segments, { ...shown, title: shownText(json, TITLE_LIMIT) }];
    }
    if (token === ',') segments.push(quiet(', '));
    else if (token === ':') {
      const key = segments.pop();
      segments.push(quiet(`${key?.text.replaceAll('"', '') ?? ''}: `));
    } else if ('[]{}'.includes(token)) segments.push(quiet(token));
    else segments.push(scalarSegment(token.startsWith('"') ? unquoted(token) : token, names));
  }
  return segments;
}

/**
 * A decoded value as part of a line.
 * @param type the canonical ABI type, such as `uint256` or `(address,uint256)[]`
 */
export function valueSegments(type: string, value: string, names: Names): Segment[] {
  if (/[\])]$/.test(type)) {
    const segments = jsonSegments(value, names);
    const shown = segments.map(({ text }) => text).join('');
    // Copied text contains the original value instead of the folded pieces.
    return segments.map((segment, index) => ({
      ...segment,
      plain: index === 0 ? value : '',
      ...(segment.title === undefined &&
        shown !== value && { title: shownText(value, TITLE_LIMIT) }),
    }));
  }
  if (type === 'string') return [textSegment(value)];
  if (/^u?int/.test(type) && INTEGER.test(value)) return [integerSegment(value)];
  return [scalarSegment(value, names)];
}
