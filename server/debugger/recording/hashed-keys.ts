import type { Frame } from '../../evm/interpreter/frame';
import type { Work } from '../../kernel/async/slices';

const KECCAK256 = 0x20;
const WORD = 32;
/** Bytes of a key; longer ones are not shown. */
const MAX_KEY = 1_024;
const MAX_KEYS = 200_000;
const MAX_BYTES = 64_000_000;
/** Of a key besides its characters. */
const KEY_BYTES = 200;

/**
 * Keys of mappings that an execution used. The place of a mapping's entry is the hash of its key and of the mapping's slot (Solidity
 * documentation, "Layout of State Variables in Storage"), so every input of KECCAK256 that ends with a word may be such a pair.
 */
export class HashedKeys {
  /** By account and last word of the input: the bytes before it, as hex, in order of first use. */
  readonly #keys = new Map<string, Set<string>>();
  #count = 0;
  #bytes = 0;

  /** @param frame before it executes an instruction */
  observe({ pc, context, stack, memory }: Frame): void {
    if (context.code[pc] !== KECCAK256) return;
    const [length = 0n, offset = 0n] = stack.slice(-2);
    const size = Number(length);
    if (size < WORD || size > MAX_KEY + WORD || this.#isFull) return;
    // Beyond the end of memory there are zeros.
    if (offset + length > BigInt(memory.size)) return;
    const input = Buffer.from(memory.read(Number(offset), size)).toString('hex');
    const place = `${context.address} ${input.slice(-2 * WORD)}`;
    const keys = this.#keys.get(place) ?? new Set<string>();
    this.#keys.set(place, keys);
    const key = input.slice(0, -2 * WORD);
    if (keys.has(key)) return;
    keys.add(key);
    this.#count++;
    this.#bytes += size;
  }

  /** Memory that they take, estimated: two characters a byte. */
  get bytes(): number {
    return this.#count * KEY_BYTES + this.#bytes * 2;
  }

  get #isFull(): boolean {
    return this.#count >= MAX_KEYS || this.#bytes >= MAX_BYTES;
  }

  /** Keys of the mapping at a slot, as hex digits without `0x`; a word for a value type. */
  of(address: string, slot: bigint): readonly string[] {
    return [...(this.#keys.get(`${address} ${slot.toString(16).padStart(64, '0')}`) ?? [])];
  }

  /** Inputs of an account's hashes that contain hex digits, from a whole byte on; as hex digits. @param address in lower case */
  *inputsWithWork(address: string, digits: string): Work<string[]> {
    const found: string[] = [];
    for (const [place, keys] of this.#keys) {
      yield 1;
      if (!place.startsWith(`${address} `)) continue;
      const last = place.slice(address.length + 1);
      for (const key of keys) {
        yield 1;
        const input = key + last;
        if (containsBytes(input, digits)) found.push(input);
      }
    }
    return found;
  }
}

function containsBytes(input: string, digits: string): boolean {
  for (let at = input.indexOf(digits); at !== -1; at = input.indexOf(digits, at + 1)) {
    if (at % 2 === 0) return true;
  }
  return false;
}
