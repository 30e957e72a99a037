import { keccak256 } from 'ethers';
import type { Hash } from '../../api/primitives';
import type { AccountChange } from '../../api/views';
import type { Work } from '../../kernel/async/slices';
import { toWord } from '../../evm/forms/quantity';

type SlotChange = AccountChange['storage'][number];

/** Where a slot is, by a hash that gives it. */
export interface FoundPlace {
  /** `mapping@3[0x…]`, `mapping@1[0x…][0x…]`, `array@5[0]`, with ` + 1` for a later field of a struct. */
  readonly name: string;
  /** Slot at which the mapping is declared, and the key: of a mapping that is not nested only. */
  readonly entry?: { readonly base: number; readonly key: Hash };
}

/** Slots at which mappings are likely declared. */
const BASES = Array.from({ length: 32 }, (_, base) => base);
const NEAR_BASES = BASES.slice(0, 12);
/** Keys that are tried at every base, and as outer and inner keys of nested mappings. */
const FIRST_KEYS = 120;
const NESTED_KEYS = 16;
const MAX_KEYS = 800;
const MAX_FIELDS = 8n;
const MAX_ELEMENTS = 1n << 20n;
/** Compilers number variables from 0; hashes are larger. */
const VARIABLES_END = 1n << 64n;

/**
 * Finds the keys of mappings again: the slots that are the hash of a word of the transaction and of a small number. A match cannot be by
 * chance, but the declaration may be another one: `mapping@3` is what the hash says, not what the source says.
 * @param keys possible keys, the likeliest first
 */
export function* findPlacesWork(
  slots: Iterable<Hash>,
  keys: readonly Hash[],
): Work<ReadonlyMap<Hash, FoundPlace>> {
  const open = new Map<bigint, Hash>();
  for (const slot of slots) {
    const number = BigInt(slot);
    if (number >= VARIABLES_END) open.set(number, slot);
  }
  const search = new PlaceSearch(open);
  search.arrays();
  const first = keys.slice(0, FIRST_KEYS);
  yield* search.mappings(first, BASES);
  yield* search.nested(keys.slice(0, NESTED_KEYS), NEAR_BASES);
  yield* search.mappings(keys.slice(FIRST_KEYS, MAX_KEYS), NEAR_BASES);
  return search.found;
}

class PlaceSearch {
  readonly found = new Map<Hash, FoundPlace>();

  constructor(private readonly open: Map<bigint, Hash>) {}

  arrays(): void {
    for (const base of BASES) {
      if (this.open.size === 0) return;
      const start = BigInt(keccak256(toWord(base)));
      for (const [number, slot] of this.open) {
        if (number < start || number - start >= MAX_ELEMENTS) continue;
        this.#add(number, slot, { name: `array@${base}[${number - start}]` });
      }
    }
  }

  *mappings(keys: readonly Hash[], bases: readonly number[]): Work<void> {
    for (const base of bases) {
      yield keys.length;
      const word = toWord(base);
      for (const key of keys) {
        if (this.open.size === 0) return;
        const name = `mapping@${base}[${keyText(key)}]`;
        for (const entry of entriesOf(word, key)) this.#take(entry, name, { base, key });
      }
    }
  }

  *nested(keys: readonly Hash[], bases: readonly number[]): Work<void> {
    for (const base of bases) {
      yield keys.length;
      const word = toWord(base);
      for (const outer of keys) {
        const inside = solidity(word, outer);
        for (const inner of keys) {
          if (this.open.size === 0) return;
          const name = `mapping@${base}[${keyText(outer)}][${keyText(inner)}]`;
          this.#take(solidity(inside, inner), name);
        }
      }
    }
  }

  /** Takes the slot, and the next ones as fields of a struct. */
  #take(entry: Hash, name: string, key?: FoundPlace['entry']): void {
    const start = BigInt(entry);
    for (let field = 0n; field < MAX_FIELDS; field++) {
      const slot = this.open.get(start + field);
      if (slot === undefined) continue;
      if (field > 0n) this.#add(start + field, slot, { name: `${name} + ${field}` });
      else this.#add(start, slot, key ? { name, entry: key } : { name });
    }
  }

  #add(number: bigint, slot: Hash, place: FoundPlace): void {
    this.open.delete(number);
    this.found.set(slot, place);
  }
}

const solidity = (base: Hash, key: Hash): Hash => keccak256(`${key}${base.slice(2)}`) as Hash;
/** Solidity hashes the key before the slot, Vyper after it. */
const entriesOf = (base: Hash, key: Hash): Hash[] => [
  solidity(base, key),
  keccak256(`${base}${key.slice(2)}`) as Hash,
];

const ADDRESSES_END = 1n << 160n;
/** A supply of 10^15 tokens with 18 decimals is smaller. */
const NUMBERS_END = 1n << 112n;
/** Zeros at the beginning or inside: two numbers in one word, or an address that somebody searched for. */
const ZEROS = /^0x(?:[0-9a-f]{2})*?0{8}/;

/** A key as people write it: an address, a number, or the word. */
function keyText(key: Hash): string {
  const value = BigInt(key);
  if (value < VARIABLES_END) return value.toString();
  return value < ADDRESSES_END ? `0x${key.slice(26)}` : key;
}

/** What both words plausibly are: numbers, or addresses. A word of several packed values is neither. */
export function plausible({
  before,
  after,
}: Pick<SlotChange, 'before' | 'after'>): Pick<
  NonNullable<SlotChange['found']>,
  'type' | 'before' | 'after'
> {
  const values = [BigInt(before), BigInt(after)] as const;
  if (values.every((value) => value < NUMBERS_END)) {
    return { type: 'uint256', before: String(values[0]), after: String(values[1]) };
  }
  if ([before, after].every(isAddressLike)) {
    return { type: 'address', before: addressText(before), after: addressText(after) };
  }
  return {};
}

const isAddressLike = (word: string): boolean =>
  BigInt(word) === 0n || (BigInt(word) < ADDRESSES_END && !ZEROS.test(addressText(word)));
const addressText = (word: string): string => `0x${word.slice(26)}`;
