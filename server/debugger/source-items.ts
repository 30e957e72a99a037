import type { SourceText } from '../sources/source-text';

/** A range of bytes; the end is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [NEWLINE, BLANK, DOUBLE, SINGLE, BACKSLASH] = [0x0a, 0x20, 0x22, 0x27, 0x5c];
const [STAR, SLASH, OPEN, CLOSE, SEMICOLON] = [0x2a, 0x2f, 0x7b, 0x7d, 0x3b];
const CONTRACT = /^\s*(?:abstract\s+)?(?:contract|library|interface)\s+([A-Za-z_$][\w$]*)/;
const FUNCTION = /^\s*(function|constructor|fallback|receive)\b/;
const OTHER =
  /^\s*(function|modifier|constructor|fallback|receive|event|error|using|struct|enum|import|pragma|type)\b/;

/** The parts of a source that are outside of other braces than those of a contract, in the order of the text. */
interface SourceItems {
  readonly contracts: readonly (Span & { readonly name: string })[];
  readonly functions: readonly Span[];
  /** Declarations that execute nothing: constants, and state variables without a value. */
  readonly silent: readonly Span[];
}

const known = new WeakMap<SourceText, SourceItems>();

/** Reads Solidity roughly: braces, strings and comments are enough to find what is outside of functions. */
export function itemsOf(text: SourceText): SourceItems {
  const items = known.get(text) ?? readItems(Buffer.from(text.content));
  known.set(text, items);
  return items;
}

/** Name of the contract, library or interface around a place; empty outside of them. */
export const contractAround = (text: SourceText, start: number): string =>
  itemsOf(text).contracts.find((span) => span.start <= start && start < span.end)?.name ?? '';

/**
 * Whether a place is in a declaration that executes nothing. The compiler maps the use of a constant to its value, and getters to the
 * variable.
 */
export const isSilent = (text: SourceText, start: number): boolean =>
  itemsOf(text).silent.some((span) => span.start <= start && start < span.end);

function readItems(bytes: Buffer): SourceItems {
  const contracts: (Span & { name: string })[] = [];
  const functions: Span[] = [];
  const silent: Span[] = [];
  /** Of the braces that are open. */
  const open: { start: number; isFunction: boolean; contract: string | undefined }[] = [];
  /** The text with blanks in place of comments. */
  const plain = Buffer.from(bytes);
  const skipComment = (from: number, end: number): number => {
    plain.fill(BLANK, from, end);
    return end - 1;
  };
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    const isOutside = open.length <= 1 && !open.some(({ isFunction }) => isFunction);
    if (byte === DOUBLE || byte === SINGLE) at = endOfString(bytes, at);
    else if (byte === SLASH && bytes[at + 1] === SLASH) {
      at = skipComment(at, endAt(bytes.indexOf(NEWLINE, at), bytes));
    } else if (byte === SLASH && bytes[at + 1] === STAR) {
      at = skipComment(at, endAt(bytes.indexOf('*/', at + 2), bytes, 2));
    } else if (byte === OPEN) {
      const head = isOutside ? plain.toString('utf8', start, at) : '';
      const isFunction = FUNCTION.test(head);
      const contract = open.length === 0 ? CONTRACT.exec(head)?.[1] : undefined;
      open.push({ start: isFunction ? startOf(plain, start, at) : at, isFunction, contract });
    } else if (byte === CLOSE) {
      const closed = open.pop();
      if (closed?.isFunction) functions.push({ start: closed.start, end: at + 1 });
      if (closed?.contract !== undefined) {
        contracts.push({ name: closed.contract, start: closed.start, end: at + 1 });
      }
    } else if (byte === SEMICOLON && isOutside && isSilentText(plain.toString('utf8', start, at))) {
      silent.push({ start, end: at });
    }
    if (isOutside && (byte === SEMICOLON || byte === OPEN)) start = at + 1;
    if (byte === CLOSE) start = at + 1;
  }
  return { contracts, functions, silent };
}

/** Offset of an item's first character after blanks. */
const startOf = (plain: Buffer, start: number, end: number): number =>
  start + plain.toString('latin1', start, end).search(/\S/);

function isSilentText(text: string): boolean {
  if (OTHER.test(text)) return false;
  return /\bconstant\b/.test(text) || !/=(?!>)/.test(text);
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    // A string ends on its line: an apostrophe in an unusual place must not hide the rest of the file.
    else if (bytes[at] === bytes[start] || bytes[at] === NEWLINE) return at;
  }
  return bytes.length;
}

const endAt = (found: number, bytes: Buffer, length = 0): number =>
  found < 0 ? bytes.length : found + length;
