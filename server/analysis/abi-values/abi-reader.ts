import type { ParamType } from 'ethers';
import type { Hex } from '../../api/primitives';

/** Hex digits of a word. */
const WORD = 64;
const ZEROS = '0'.repeat(WORD);
/** Leading zeros of a word whose number fits into 52 bits, which a JavaScript number represents exactly. */
const SMALL = ZEROS.slice(0, 52);

/** Addresses and bytes are lower-case hex, integers bigint, arrays and tuples arrays. */
export type AbiValue = string | bigint | boolean | AbiValues;
export type AbiValues = readonly AbiValue[];

/**
 * Reads values that are encoded next to each other, such as the arguments of a call, from the given digit on. More data may follow them.
 * Returns undefined if an encoder would produce other bytes for the values: it writes them in order, without gaps, padded with zeros.
 */
export type ValuesReader = (text: Hex, from: number) => LeadingValues | undefined;

/** Values at the start of data. */
export interface LeadingValues {
  readonly values: AbiValues;
  /** Index of the first digit behind them. */
  readonly end: number;
}

/**
 * Creates a reader whose time is bounded by the length of the data, whatever the types are. Signatures come from untrusted sources: a naive
 * decoder would exhaust its memory on `uint256[1000000000]` alone.
 */
export function valuesReader(types: readonly ParamType[]): ValuesReader {
  const list = rowOf(types.map(partOf));
  if (!list) return () => undefined;
  const { size, read } = list;
  return (text, from) => {
    const data = { text, end: from + size };
    const values = read(data, from);
    return values && { values, end: data.end };
  };
}

interface Data {
  readonly text: Hex;
  /** Index at which the next dynamic value has to start. */
  end: number;
}

/**
 * Reads the value at a digit. For a dynamic value, moves the end of the data past it. Returns undefined if the data is not such a value.
 */
type Read = (data: Data, at: number) => AbiValue | undefined;

interface Part {
  /** Digits in the head of the encoding. The head contains only the offset of a dynamic value. */
  readonly size: number;
  readonly isDynamic: boolean;
  readonly read: Read;
}

const parts = new WeakMap<ParamType, Part>();

/** Undefined for types without an encoding. */
function partOf(type: ParamType): Part | undefined {
  const known = parts.get(type);
  if (known) return known;
  const part = makePart(type);
  if (part) parts.set(type, part);
  return part;
}

function makePart(type: ParamType): Part | undefined {
  if (type.isArray()) {
    const item = partOf(type.arrayChildren);
    // Items of zero size could repeat any number of times.
    if (!item || item.size === 0) return undefined;
    return type.arrayLength === -1 ? listOf(item) : arrayOf(item, type.arrayLength);
  }
  if (type.isTuple()) {
    const row = rowOf(type.components.map(partOf));
    return row?.isDynamic === true ? dynamic(row.read) : row;
  }
  if (type.type === 'bytes') return dynamic(readBytes);
  if (type.type === 'string') return dynamic(readString);
  const read = wordReader(type.type);
  return read && { size: WORD, isDynamic: false, read: ({ text }, at) => read(text, at) };
}

const dynamic = (read: Read): Part => ({ size: WORD, isDynamic: true, read });

interface Row {
  readonly size: number;
  readonly isDynamic: boolean;
  readonly read: (data: Data, base: number) => AbiValue[] | undefined;
}

function rowOf(found: readonly (Part | undefined)[]): Row | undefined {
  const row = found.filter((part) => part !== undefined);
  if (row.length < found.length) return undefined;
  const size = row.reduce((sum, part) => sum + part.size, 0);
  const isDynamic = row.some((part) => part.isDynamic);
  return {
    size,
    isDynamic,
    read(data, base) {
      if (base + size > data.text.length) return undefined;
      if (isDynamic) data.end = base + size;
      const values = new Array<AbiValue>(row.length);
      let [index, at] = [0, base];
      for (const part of row) {
        const value = readPart(part, data, base, at);
        if (value === undefined) return undefined;
        values[index++] = value;
        at += part.size;
      }
      return values;
    },
  };
}

/** The offset of a dynamic value is counted in bytes from the start of its row. */
function readPart(part: Part, data: Data, base: number, at: number): AbiValue | undefined {
  if (!part.isDynamic) return part.read(data, at);
  const isNext = numberAt(data.text, at) === (data.end - base) / 2;
  return isNext ? part.read(data, data.end) : undefined;
}

function arrayOf(item: Part, length: number): Part {
  const size = item.size * length;
  if (!item.isDynamic) {
    return { size, isDynamic: false, read: (data, at) => readItems(item, data, at, at + size) };
  }
  return dynamic((data, at) => readItems(item, data, at, (data.end = at + size)));
}

/** An array with a length prefix. */
const listOf = (item: Part): Part =>
  dynamic((data, at) => {
    const base = at + WORD;
    return readItems(item, data, base, (data.end = base + numberAt(data.text, at) * item.size));
  });

function readItems(item: Part, data: Data, base: number, end: number): AbiValue[] | undefined {
  if (end > data.text.length) return undefined;
  const values = new Array<AbiValue>((end - base) / item.size);
  let index = 0;
  for (let at = base; at < end; at += item.size) {
    const value = readPart(item, data, base, at);
    if (value === undefined) return undefined;
    values[index++] = value;
  }
  return values;
}

function readBytes(data: Data, at: number): Hex | undefined {
  const length = numberAt(data.text, at);
  const start = at + WORD;
  const padding = start + length * 2;
  data.end = start + Math.ceil(length / 32) * WORD;
  if (data.end > data.text.length) return undefined;
  if (!data.text.startsWith(ZEROS.slice(0, data.end - padding), padding)) return undefined;
  return `0x${data.text.slice(start, padding)}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readString(data: Data, at: number): string | undefined {
  const bytes = readBytes(data, at);
  try {
    return bytes && utf8.decode(Buffer.from(bytes.slice(2), 'hex'));
  } catch {
    return undefined; // not UTF-8
  }
}

/** Undefined for types that are longer than one word. */
function wordReader(type: string): ((text: Hex, at: number) => AbiValue | undefined) | undefined {
  const [, kind, size = ''] = /^(uint|int|bytes|address|bool)(\d*)$/.exec(type) ?? [];
  switch (kind) {
    case 'address': {
      const padding = ZEROS.slice(0, 24);
      return (text, at) =>
        text.startsWith(padding, at) ? `0x${text.slice(at + 24, at + WORD)}` : undefined;
    }
    case 'bool':
      return (text, at) =>
        text.startsWith(FALSE_OR_TRUE, at) ? BOOLEANS.get(text[at + WORD - 1]) : undefined;
    case 'uint': {
      const padding = ZEROS.slice(0, WORD - Number(size || 256) / 4);
      return (text, at) => (text.startsWith(padding, at) ? unsigned(text, at) : undefined);
    }
    case 'int': {
      const bits = Number(size || 256);
      return (text, at) => {
        const bare = unsigned(text, at);
        const value = BigInt.asIntN(bits, bare);
        return BigInt.asUintN(256, value) === bare ? value : undefined;
      };
    }
    case 'bytes': {
      const digits = Number(size) * 2;
      const padding = ZEROS.slice(digits);
      return (text, at) =>
        text.startsWith(padding, at + digits) ? `0x${text.slice(at, at + digits)}` : undefined;
    }
    default:
      return undefined;
  }
}

const FALSE_OR_TRUE = ZEROS.slice(1);
const BOOLEANS: ReadonlyMap<string | undefined, boolean> = new Map([
  ['0', false],
  ['1', true],
]);

/** Most numbers are small. Reading them as JavaScript numbers is several times as fast. */
function unsigned(text: Hex, at: number): bigint {
  return text.startsWith(SMALL, at)
    ? BigInt(smallNumber(text, at))
    : BigInt(`0x${text.slice(at, at + WORD)}`);
}

/** Infinity if the word is missing, or if its value exceeds the length of any data. */
function numberAt(text: Hex, at: number): number {
  return text.startsWith(SMALL, at) && at + WORD <= text.length ? smallNumber(text, at) : Infinity;
}

/** Reads digit by digit: a substring for `parseInt` takes several times as long. */
function smallNumber(text: Hex, at: number): number {
  let number = 0;
  for (let i = at + SMALL.length; i < at + WORD; i++) {
    const digit = text.charCodeAt(i) | 0x20; // in lower case
    number = number * 16 + digit - (digit < LETTER_A ? DIGIT_0 : LETTER_A - 10);
  }
  return number;
}
const [DIGIT_0, LETTER_A] = [0x30, 0x61];
