import type { Work } from './slices';

/** Characters that are parsed at once: it takes no longer than what other requests can wait. */
const WHOLE = 4 * 1024 * 1024;
/** Characters that `JSON.parse` gets at a time of what is longer. */
const PIECE = 64 * 1024;

/** An array or object whose end was not reached yet. */
interface Open {
  readonly isArray: boolean;
  /** Where it starts in its parent's text, with its key. */
  readonly start: number;
  /** Of a member of an object: all that stands in front of the value, as `"key":`. */
  readonly prefix: string;
  /** Where the text begins that is not in `value` yet. */
  from: number;
  /** Set once a part of it was parsed. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** A child with a value of its own was the last thing in it. */
  afterChild: boolean;
}

/**
 * `JSON.parse` as work that can be interrupted: small arrays and objects are parsed as a whole, large ones piece by piece.
 * Without recursion of its own.
 * @throws SyntaxError
 */
export function* parseJsonWork(text: string, piece = PIECE, whole = WHOLE): Work<unknown> {
  if (text.length <= whole) return JSON.parse(text) as unknown;
  const open: Open[] = [];
  let top: Open | undefined;
  let keyStart = 0; // of the last string
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        keyStart = i;
        i = endOfString(text, i);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT: {
        if (!top) requireBlank(text, 0, i);
        const isArray = text.charCodeAt(i) === OPEN_ARRAY;
        const start = top?.isArray === false ? keyStart : i;
        const prefix = text.slice(start, i);
        top = { isArray, start, prefix, from: i + 1, value: undefined, afterChild: false };
        open.push(top);
        break;
      }
      case COMMA:
        if (top?.afterChild === true) {
          requireBlank(text, top.from, i);
          [top.from, top.afterChild] = [i + 1, false];
        } else if (top && i - top.from > piece) {
          connect(text, open);
          add(top, text.slice(top.from, i));
          top.from = i + 1;
          yield 1;
        }
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: {
        const closed = open.pop();
        top = open.at(-1);
        if (!closed) throw unexpected(text, i);
        if (closed.value === undefined) {
          if (top) break; // a part of its parent's text
          return JSON.parse(text) as unknown;
        }
        if (closed.isArray !== (text.charCodeAt(i) === CLOSE_ARRAY)) throw unexpected(text, i);
        if (closed.afterChild) requireBlank(text, closed.from, i);
        else add(closed, text.slice(closed.from, i));
        if (!top) {
          requireBlank(text, i + 1, text.length);
          return closed.value;
        }
        [top.from, top.afterChild] = [i + 1, true];
        break;
      }
    }
  }
  return JSON.parse(text) as unknown; // a long string, or cut off
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Gives each open array and object a value, with what stands in front of the child that is open in it, and the child. */
function connect(text: string, open: readonly Open[]): void {
  for (const [depth, one] of open.entries()) {
    if (one.value) continue;
    one.value = one.isArray ? [] : {};
    const parent = open[depth - 1];
    if (!parent) continue;
    const before = text.slice(parent.from, one.start).trimEnd();
    if (before !== '') add(parent, withoutComma(before));
    if (Array.isArray(parent.value)) parent.value.push(one.value);
    else if (parent.value) setMember(parent.value, keyOf(one.prefix), one.value);
  }
}

/** @throws SyntaxError unless the prefix is a key and a colon */
function keyOf(prefix: string): string {
  return Object.keys(JSON.parse(`{${prefix}null}`) as object)[0] ?? '';
}

function withoutComma(text: string): string {
  if (!text.endsWith(',')) throw unexpected(text, text.length - 1);
  return text.slice(0, -1);
}

/** Parses members or elements, of which there must be some. */
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

/** As JSON.parse does: `__proto__` is a member like any other. */
function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** Index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  throw new SyntaxError('Unterminated string in JSON');
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

function requireBlank(text: string, from: number, to: number): void {
  if (!isBlank(text.slice(from, to))) throw unexpected(text, from);
}

const unexpected = (text: string, at: number): SyntaxError =>
  new SyntaxError(`Unexpected token ${text.slice(at, at + 1)} in JSON`);
