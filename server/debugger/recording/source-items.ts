import type { SourceText } from '../../contracts/sources/source-text';
import { plainSource } from './plain-source';

/** A range of bytes; the end is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [OPEN, CLOSE, SEMICOLON] = [0x7b, 0x7d, 0x3b];
const CONTRACT = /^\s*(?:abstract\s+)?(?:contract|library|interface)\s+([A-Za-z_$][\w$]*)/;
const FUNCTION = /^\s*(function|constructor|fallback|receive)\b/;
const FUNCTION_TYPE = /^\s*function\s*\(/;
const OTHER =
  /^\s*(function|modifier|constructor|fallback|receive|event|error|using|struct|enum|import|pragma|type)\b/;

/** The parts of a source that are outside of other braces than those of a contract, in the order of the text: none overlaps another. */
interface SourceItems {
  readonly contracts: readonly (Span & { readonly name: string })[];
  readonly functions: readonly Span[];
  /** Declarations that execute nothing: constants, and state variables without a value. */
  readonly silent: readonly Span[];
}

const known = new WeakMap<SourceText, SourceItems>();

/** Reads Solidity roughly: braces, strings and comments are enough to find what is outside of functions. */
export function itemsOf(text: SourceText): SourceItems {
  const items = known.get(text) ?? readItems(plainSource(text.content));
  known.set(text, items);
  return items;
}

/** Name of the contract, library or interface around a place; empty outside of them. */
export const contractAround = (text: SourceText, start: number): string =>
  spanAround(itemsOf(text).contracts, start)?.name ?? '';

/**
 * Whether a place is in a declaration that executes nothing. The compiler maps the use of a constant to its value, and getters to the
 * variable.
 */
export const isSilent = (text: SourceText, start: number): boolean =>
  spanAround(itemsOf(text).silent, start) !== undefined;

/** Longest text between the keyword and the parenthesis of a type. */
const HEAD_BYTES = 100;

/** Whether a type of functions, such as `function(uint256) external`, begins at a place: no function does, which may have no name before Solidity 0.6. */
export const isFunctionType = (text: SourceText, start: number): boolean =>
  FUNCTION_TYPE.test(text.slice(start, HEAD_BYTES)) &&
  spanAround(itemsOf(text).functions, start)?.start !== start;

/** A source and the places in it are of any number, so that the spans are not searched one by one. */
function spanAround<Found extends Span>(spans: readonly Found[], at: number): Found | undefined {
  let [first, end] = [0, spans.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    const span = spans[middle];
    if (!span) break;
    if (at < span.start) end = middle;
    else if (at >= span.end) first = middle + 1;
    else return span;
  }
  return undefined;
}

function readItems(plain: Buffer): SourceItems {
  const contracts: (Span & { name: string })[] = [];
  const functions: Span[] = [];
  const silent: Span[] = [];
  /** Of the braces that are open. */
  const open: { start: number; isFunction: boolean; contract: string | undefined }[] = [];
  let start = 0;
  for (let at = 0; at < plain.length; at++) {
    const byte = plain[at];
    const isOutside = open.length <= 1 && !open.some(({ isFunction }) => isFunction);
    if (byte === OPEN) {
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
  if (OTHER.test(text) && !FUNCTION_TYPE.test(text)) return false;
  return /\bconstant\b/.test(text) || !/=(?!>)/.test(text);
}
