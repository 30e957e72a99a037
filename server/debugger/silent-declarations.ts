import type { SourceText } from '../sources/source-text';

/** A range of bytes; the end is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [NEWLINE, DOUBLE, SINGLE, BACKSLASH] = [0x0a, 0x22, 0x27, 0x5c];
const [STAR, SLASH, OPEN, CLOSE, SEMICOLON] = [0x2a, 0x2f, 0x7b, 0x7d, 0x3b];
const OTHER =
  /^\s*(function|modifier|constructor|fallback|receive|event|error|using|struct|enum|import|pragma|type)\b/;

const known = new WeakMap<SourceText, readonly Span[]>();

/**
 * Whether a place is in a declaration that executes nothing: a constant, or a state variable without a value. The compiler maps the use of a
 * constant to its value, and getters to the variable.
 */
export function isSilent(text: SourceText, start: number): boolean {
  const spans = known.get(text) ?? silentSpans(text.content);
  known.set(text, spans);
  return spans.some((span) => span.start <= start && start < span.end);
}

/** Reads Solidity roughly: braces, strings and comments are enough to find what is outside of functions. */
function silentSpans(content: string): Span[] {
  const bytes = Buffer.from(content);
  const spans: Span[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === DOUBLE || byte === SINGLE) at = endOfString(bytes, at);
    else if (byte === SLASH && bytes[at + 1] === SLASH)
      at = endAt(bytes.indexOf(NEWLINE, at), bytes);
    else if (byte === SLASH && bytes[at + 1] === STAR)
      at = endAt(bytes.indexOf('*/', at + 2), bytes) + 1;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE) depth--;
    else if (byte === SEMICOLON && depth <= 1 && isVariable(bytes.toString('utf8', start, at))) {
      spans.push({ start, end: at });
    }
    const endsItem = byte === SEMICOLON || byte === OPEN || byte === CLOSE;
    if (endsItem && depth <= 1) start = at + 1;
  }
  return spans;
}

function isVariable(text: string): boolean {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  if (OTHER.test(plain)) return false;
  return /\bconstant\b/.test(plain) || !/=(?!>)/.test(plain);
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    // A string ends on its line: an apostrophe in an unusual place must not hide the rest of the file.
    else if (bytes[at] === bytes[start] || bytes[at] === NEWLINE) return at;
  }
  return bytes.length;
}

const endAt = (found: number, bytes: Buffer): number => (found < 0 ? bytes.length : found);
