import { AbiCoder, type Fragment, type ParamType } from 'ethers';
import type { Param } from '../api/explorer';
import type { Hex } from '../api/primitives';
import { isWhole } from './encoded-size';
import { formatValue } from './format-value';

const coder = AbiCoder.defaultAbiCoder();

/** By position; tuples and arrays inside are ethers' own. */
export type DecodedValues = readonly unknown[];

/**
 * Values of ABI-encoded data, only if encoding them again gives the same bytes: a guess that does not fit is no decode.
 * @param from index of the data's first digit: 10 behind a selector
 */
export function decodeExactly(
  types: readonly ParamType[],
  text: Hex,
  from = 2,
): DecodedValues | undefined {
  const { readers } = typeList(types);
  if (readers) return readWords(readers, text, from);
  if (!isWhole(types, text, from)) return undefined;
  const data: Hex = from === 2 ? text : `0x${text.slice(from)}`;
  try {
    const values = coder.decode(types, data);
    return coder.encode(types, values) === data ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Reads one word strictly: undefined where encoding the value would give another word. */
type WordReader = (word: string) => unknown;

/** What is known of a list of types: the same few methods are called over and over. */
interface TypeList {
  /** Null where not each value is one word. */
  readonly readers: readonly WordReader[] | null;
  readonly params: readonly {
    readonly name: string;
    readonly canonical: string;
    readonly type: ParamType;
  }[];
}

const typeLists = new WeakMap<readonly ParamType[], TypeList>();

function typeList(types: readonly ParamType[]): TypeList {
  let known = typeLists.get(types);
  if (!known) {
    const readers = types.map(({ type }) => wordReader(type));
    known = {
      // Most calls and events have only words, and the coder is slow: it computes a checksum for each address.
      readers: readers.every((reader) => reader !== undefined) ? readers : null,
      params: types.map((type) => ({ name: type.name, canonical: canonicalType(type), type })),
    };
    typeLists.set(types, known);
  }
  return known;
}

function wordReader(type: string): WordReader | undefined {
  const [, kind, size = ''] = /^(uint|int|bytes|address|bool)(\d*)$/.exec(type) ?? [];
  switch (kind) {
    case 'address': {
      const padding = ZEROS.slice(0, 24);
      return (word) => (word.startsWith(padding) ? `0x${word.slice(24)}` : undefined);
    }
    case 'bool':
      return (word) => (word === ZEROS ? false : word === ONE ? true : undefined);
    case 'uint': {
      const padding = ZEROS.slice(0, 64 - Number(size || 256) / 4);
      return (word) => (word.startsWith(padding) ? unsigned(word) : undefined);
    }
    case 'int': {
      const bits = Number(size || 256);
      return (word) => {
        const bare = unsigned(word);
        const value = BigInt.asIntN(bits, bare);
        return BigInt.asUintN(256, value) === bare ? value : undefined;
      };
    }
    case 'bytes': {
      if (size === '') return undefined; // of any length
      const digits = Number(size) * 2;
      const padding = ZEROS.slice(digits);
      return (word) => (word.endsWith(padding) ? `0x${word.slice(0, digits)}` : undefined);
    }
    default:
      return undefined;
  }
}

/** Most numbers are small, and reading those as such is several times as fast. */
function unsigned(word: string): bigint {
  return word.startsWith(SMALL)
    ? BigInt(parseInt(word.slice(SMALL.length), 16))
    : BigInt(`0x${word}`);
}

const ZEROS = '0'.repeat(64);
/** In front of what a number of JavaScript holds exactly. */
const SMALL = ZEROS.slice(0, 52);
const ONE = `${ZEROS.slice(1)}1`;

function readWords(
  readers: readonly WordReader[],
  text: Hex,
  from: number,
): DecodedValues | undefined {
  if (text.length !== from + readers.length * 64) return undefined;
  const values: unknown[] = [];
  let start = from;
  for (const read of readers) {
    const value = read(text.slice(start, (start += 64)));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** The values as text, with the names and canonical types of their parameters. */
export const toParams = (types: readonly ParamType[], values: DecodedValues): Param[] =>
  typeList(types).params.map(({ name, canonical, type }, index) => ({
    name,
    type: canonical,
    value: formatValue(type, values[index]),
  }));

export const toParam = (type: ParamType, value: string): Param => ({
  name: type.name,
  type: canonicalType(type),
  value,
});

const signatures = new WeakMap<Fragment, string>();
/** `name(type,…)` in canonical types. */
export function signatureOf(fragment: Fragment): string {
  const known = signatures.get(fragment);
  if (known !== undefined) return known;
  const text = fragment.format('sighash');
  signatures.set(fragment, text);
  return text;
}

const canonicalTypes = new WeakMap<ParamType, string>();
function canonicalType(type: ParamType): string {
  const known = canonicalTypes.get(type);
  if (known !== undefined) return known;
  const text = type.format('sighash');
  canonicalTypes.set(type, text);
  return text;
}
