import type { Recording } from '../../../recording/recording';
import { storageEntry } from '../values/storage-values';
import { isReference, slotsOfType, type MappingType, type SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { StoragePlace } from '../values/value';
import { wordFault } from '../values/words';
import { textField, type Ast } from './ast';

/** Literals of a source that are tried as keys, and slots of an entry that are looked for. */
const MAX_LITERALS = 256;
const MAX_SLOTS = 64n;
const WORD_DIGITS = 64;

interface Literals {
  readonly numbers: ReadonlySet<bigint>;
  /** Bytes of texts, as hex digits. */
  readonly texts: ReadonlySet<string>;
}

const known = new WeakMap<Ast, Literals>();

/**
 * Keys of a mapping that are written in the source, and whose entries the transaction touches. The optimizer computes their places, so that
 * no instruction hashes them.
 * @returns as `HashedKeys.of`
 */
export function literalKeys(
  recording: Recording,
  ast: Ast,
  place: StoragePlace,
  type: MappingType,
): string[] {
  return candidates(ast, type.key).filter((digits) => {
    const entry = storageEntry(place, Buffer.from(digits, 'hex'));
    if (recording.hashes.of(place.address, entry.slot).length > 0) return true;
    for (let index = 0n; index < slotsOf(type.value); index++) {
      const slot = BigInt.asUintN(256, entry.slot + index);
      if (recording.touches(place.address, slot)) return true;
    }
    return false;
  });
}

function slotsOf(type: SolidityType): bigint {
  try {
    const slots = isReference(type) ? slotsOfType(type) : 1n;
    return slots < MAX_SLOTS ? slots : MAX_SLOTS;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return 1n;
  }
}

function candidates(ast: Ast, type: SolidityType): string[] {
  const { numbers, texts } = literalsOf(ast);
  if (type.kind === 'string' || type.kind === 'bytes') return [...texts];
  if (isReference(type)) return [];
  const words = new Set(numbers);
  if (type.kind === 'enum') type.members?.forEach((_, index) => words.add(BigInt(index)));
  if (type.kind === 'bool') words.add(0n).add(1n);
  if (type.kind === 'fixedBytes') {
    const bits = BigInt(256 - type.length * 8);
    for (const number of numbers) words.add(BigInt.asUintN(256, number << bits));
    for (const text of texts) {
      if (text.length <= type.length * 2) words.add(BigInt(`0x0${text.padEnd(WORD_DIGITS, '0')}`));
    }
  }
  return [...words]
    .filter((word) => wordFault(type, word) === undefined)
    .map((word) => word.toString(16).padStart(WORD_DIGITS, '0'));
}

function literalsOf(ast: Ast): Literals {
  const found = known.get(ast);
  if (found) return found;
  const numbers = new Set<bigint>();
  const texts = new Set<string>();
  for (const node of ast.ofType('Literal')) {
    const [kind, value] = [textField(node, 'kind'), textField(node, 'value').replaceAll('_', '')];
    const isNumber = kind === 'number' && /^(0x[0-9a-f]{1,64}|\d{1,77})$/i.test(value);
    if (isNumber && numbers.size < MAX_LITERALS) numbers.add(BigInt(value));
    const text = textField(node, 'hexValue').toLowerCase();
    const isText = kind === 'string' || kind === 'hexString' || kind === 'unicodeString';
    if (isText && texts.size < MAX_LITERALS && /^([0-9a-f]{2})*$/.test(text)) texts.add(text);
  }
  const literals = { numbers, texts };
  known.set(ast, literals);
  return literals;
}
