import type { Work } from './slices';

/** Size up to which a text is parsed in one piece, in bytes: short enough not to delay other requests. */
const WHOLE = 256 * 1024;
/** Size of the pieces of longer texts that `JSON.parse` reads at a time, in bytes. */
const PIECE = 64 * 1024;

/** An array or object whose end has not been reached yet. */
interface Open {
  readonly isArray: boolean;
  /** Start in its parent, including its key. */
  readonly start: number;
  /** Index of its own first byte. In an object, exactly `"key":` precedes it. */
  readonly at: number;
  /** Start of the bytes that are not in `value` yet. */
  from: number;
  /** Set once a part of it was parsed. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** The last element in it was a child with a value of its own. */
  afterChild: boolean;
}

/**
 * `JSON.parse` as interruptible work: small arrays and objects are parsed as a whole, large ones piece by piece.
 * Not recursive. Reads bytes, since joining the chunks of a text of many megabytes would block.
 * @param bytes UTF-8
 * @throws SyntaxError
 */
export function* parseJsonWork(bytes: Buffer, piece = PIECE, whole = WHOLE): Work<unknown> {
  if (bytes.length <= whole) return JSON.parse(bytes.toString()) as unknown;
  const open: Open[] = [];
  let top: Open | undefined;
  let keyStart = 0; // of the last string
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        keyStart = i;
        i = endOfString(bytes, i);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT: {
        if (!top) requireBlank(bytes, 0, i);
        const isArray = bytes[i] === OPEN_ARRAY;
        const start = top?.isArray === false ? keyStart : i;
        top = { isArray, start, at: i, from: i + 1, value: undefined, afterChild: false };
        open.push(top);
        break;
      }
      case COMMA:
        if (top?.afterChild === true) {
          requireBlank(bytes, top.from, i);
          [top.from, top.afterChild] = [i + 1, false];
        } else if (top && i - top.from > piece) {
          connect(bytes, open);
          add(top, bytes.toString('utf8', top.from, i));
          top.from = i + 1;
          yield 1;
        }
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: {
        const closed = open.pop();
        top = open.at(-1);
        if (!closed) throw unexpected(bytes, i);
        if (closed.value === undefined) {
          if (top) break; // parsed as a part of its parent
          return JSON.parse(bytes.toString()) as unknown;
        }
        if (closed.isArray !== (bytes[i] === CLOSE_ARRAY)) throw unexpected(bytes, i);
        if (closed.afterChild) requireBlank(bytes, closed.from, i);
        else add(closed, bytes.toString('utf8', closed.from, i));
        if (!top) {
          requireBlank(bytes, i + 1, bytes.length);
          return closed.value;
        }
        [top.from, top.afterChild] = [i + 1, true];
        break;
      }
      default: // inside a value, or between two values
    }
  }
  return JSON.parse(bytes.toString()) as unknown; // a long string, or truncated
}

/** Bytes of a string that are read one by one, as a search takes longer to begin. */
const SHORT = 24;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Creates the value of each open array and object, with the elements before its open child, and the child itself. */
function connect(bytes: Buffer, open: readonly Open[]): void {
  for (const [depth, one] of open.entries()) {
    if (one.value) continue;
    one.value = one.isArray ? [] : {};
    const parent = open[depth - 1];
    if (!parent) continue;
    const before = bytes.toString('utf8', parent.from, one.start).trimEnd();
    if (before !== '') add(parent, withoutComma(before));
    if (Array.isArray(parent.value)) parent.value.push(one.value);
    else if (parent.value) {
      setMember(parent.value, keyOf(bytes.toString('utf8', one.start, one.at)), one.value);
    }
  }
}

/** @throws SyntaxError unless the prefix is a key and a colon */
function keyOf(prefix: string): string {
  return Object.keys(JSON.parse(`{${prefix}null}`) as object)[0] ?? '';
}

function withoutComma(text: string): string {
  if (!text.endsWith(',')) throw unexpectedToken(text.slice(-1));
  return text.slice(0, -1);
}

/** Parses one or more members or elements. */
function add({ value, isArray }: Open, text: string): void {
  if (isBlank(text)) throw new SyntaxError('Unexpected end of a list in JSON');
  if (isArray) {
    for (const one of JSON.parse(`[${text}]`) as unknown[]) (value as unknown[]).push(one);
    return;
  }
  const members = JSON.parse(`{${text}}`) as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    setMember(value as Record<string, unknown>, key, members[key]);
  }
}

/** Sets a member as JSON.parse does: `__proto__` is a member like any other. */
function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** Index of the closing quote. */
function endOfString(bytes: Buffer, start: number): number {
  const short = Math.min(start + SHORT, bytes.length);
  let i = start + 1;
  for (; i < short; i++) {
    if (bytes[i] === QUOTE) return i;
    if (bytes[i] === BACKSLASH) return endOfEscaped(bytes, i);
  }
  const quote = bytes.indexOf(QUOTE, i);
  // A quote after a backslash may be a part of the string.
  return quote === -1 || bytes[quote - 1] === BACKSLASH ? endOfEscaped(bytes, i) : quote;
}

/** @param from index of the string's content, not after a backslash that belongs to it */
function endOfEscaped(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) return i;
    if (bytes[i] === BACKSLASH) i++;
  }
  throw new SyntaxError('Unterminated string in JSON');
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

function requireBlank(bytes: Buffer, from: number, to: number): void {
  if (to > from && !isBlank(bytes.toString('utf8', from, to))) throw unexpected(bytes, from);
}

const unexpected = (bytes: Buffer, at: number): SyntaxError =>
  unexpectedToken(bytes.toString('utf8', at, at + 1));
const unexpectedToken = (token: string): SyntaxError =>
  new SyntaxError(`Unexpected token ${token} in JSON`);
