import { MAX_WORD } from '../../../../evm/interpreter/word';
import { packedBytes, typeName, type ValueType } from './types';

/**
 * Values of value types are words as the stack and memory have them: numbers at the right, `bytesN` at the left, `intN` with its sign. An
 * external function is the number of its 24 bytes.
 */
export function fromPacked(type: ValueType, packed: bigint): bigint {
  const bits = packedBytes(type) * 8;
  const own = BigInt.asUintN(bits, packed);
  if (type.kind === 'userDefined') return fromPacked(type.underlying, own);
  if (type.kind === 'int') return BigInt.asUintN(256, BigInt.asIntN(bits, own));
  return type.kind === 'fixedBytes' ? own << BigInt(256 - bits) : own;
}

/** The value of a word in memory or in call data. */
export const fromAbiWord = (type: ValueType, word: bigint): bigint =>
  type.kind === 'function' && type.isExternal ? word >> 64n : word;

/** The same for a word that becomes a part of call data. */
export const toAbiWord = (type: ValueType, word: bigint): bigint =>
  type.kind === 'function' && type.isExternal ? word << 64n : word;

/**
 * Why a word is no value of a type; undefined where it is one. Solidity may leave other bits in a word until it uses the value ("Cleaning Up
 * Variables"); such a word is no value either, since nothing proves that it is that variable's.
 */
export function wordFault(type: ValueType, word: bigint): string | undefined {
  return isValid(type, word)
    ? undefined
    : `the word ${wordHex(word)} is not a value of the type ${typeName(type)}`;
}

/** A word as Solidity uses it, without other bits that it may have until then ("Cleaning Up Variables"). Of a bool, an enum or a function it has none. */
export function cleanWord(type: ValueType, word: bigint): bigint {
  switch (type.kind) {
    case 'uint':
      return BigInt.asUintN(type.bits, word);
    case 'int':
      return BigInt.asUintN(256, BigInt.asIntN(type.bits, word));
    case 'address':
    case 'contract':
      return BigInt.asUintN(160, word);
    case 'fixedBytes':
      return word & (MAX_WORD << BigInt(256 - type.length * 8)) & MAX_WORD;
    case 'userDefined':
      return cleanWord(type.underlying, word);
    default:
      return word;
  }
}

function isValid(type: ValueType, word: bigint): boolean {
  switch (type.kind) {
    case 'uint':
      return word >> BigInt(type.bits) === 0n;
    case 'int':
      return BigInt.asUintN(256, BigInt.asIntN(type.bits, word)) === word;
    case 'bool':
      return word <= 1n;
    case 'address':
    case 'contract':
      return word >> 160n === 0n;
    case 'fixedBytes':
      return (word & (MAX_WORD >> BigInt(type.length * 8))) === 0n;
    case 'enum':
      return type.members
        ? word < BigInt(type.members.length)
        : word >> BigInt(8 * type.bytes) === 0n;
    case 'userDefined':
      return isValid(type.underlying, word);
    case 'function':
      return type.isExternal ? word >> 192n === 0n : word >> 64n === 0n;
    case 'other':
      return true;
  }
}

/** Names of the functions that values of function types hold; undefined for those that are not known. */
export interface FunctionNames {
  /** @param word of an internal function */
  readonly internal: (word: bigint) => string | undefined;
  /** @param selector 8 hex digits */
  readonly external: (selector: string) => string | undefined;
}

/** As written in Solidity; the word is a value of the type. */
export function wordText(type: ValueType, word: bigint, functions?: FunctionNames): string {
  switch (type.kind) {
    case 'uint':
      return word.toString();
    case 'int':
      return BigInt.asIntN(256, word).toString();
    case 'bool':
      return String(word !== 0n);
    case 'address':
    case 'contract':
      return hexDigits(word, 20);
    case 'fixedBytes':
      return hexDigits(word >> BigInt(256 - type.length * 8), type.length);
    case 'enum': {
      const member = type.members?.[Number(word)];
      return member === undefined ? `${type.name}(${word})` : `${type.name}.${member}`;
    }
    case 'userDefined':
      return wordText(type.underlying, word);
    case 'function':
      return type.isExternal
        ? externalText(word, functions)
        : (functions?.internal(word) ?? `function at 0x${word.toString(16)}`);
    case 'other':
      return hexDigits(word, type.bytes);
  }
}

/** The account, the selector and the name of the function. */
function externalText(word: bigint, functions: FunctionNames | undefined): string {
  const selector = hexDigits(word & 0xffffffffn, 4);
  const name = functions?.external(selector.slice(2));
  return `${hexDigits(word >> 32n, 20)}.${selector}${name === undefined ? '' : ` (${name})`}`;
}

const hexDigits = (value: bigint, bytes: number): string =>
  `0x${value.toString(16).padStart(bytes * 2, '0')}`;

export const wordHex = (word: bigint): string => hexDigits(word, 32);

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A literal of Solidity: `"text"`, or `hex"…"` for bytes and for what is no UTF-8. */
export function bytesText(kind: 'bytes' | 'string', data: Uint8Array): string {
  if (kind === 'string') {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
      return `"${text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, escaped)}"`;
    } catch {
      // Not UTF-8.
    }
  }
  return `hex"${Buffer.from(data).toString('hex')}"`;
}

const escaped = (character: string): string =>
  ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
