import { toBytes32, wordAt } from './word';

const FIRST_CAPACITY = 1024;
const NO_BYTES = new Uint8Array(0);

/** The memory of one call frame. It grows in words of 32 bytes; the gas bounds how far. */
export class Memory {
  #bytes = NO_BYTES;
  #size = 0;

  /** Bytes. */
  get size(): number {
    return this.#size;
  }

  /** @param end offset after the last byte that is used */
  grow(end: number): void {
    const size = Math.ceil(end / 32) * 32;
    if (size <= this.#size) return;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(FIRST_CAPACITY, this.#bytes.length * 2, size));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#size = size;
  }

  word(offset: number): bigint {
    return wordAt(this.#bytes, offset);
  }

  setWord(offset: number, value: bigint): void {
    this.#bytes.set(toBytes32(value), offset);
  }

  setByte(offset: number, value: number): void {
    this.#bytes[offset] = value;
  }

  /** @returns a copy */
  read(offset: number, length: number): Uint8Array {
    return length === 0 ? NO_BYTES : this.#bytes.slice(offset, offset + length);
  }

  /** Copies from a source; bytes beyond its end are zero. */
  copyFrom(source: Uint8Array, from: number, to: number, length: number): void {
    const part = source.subarray(Math.min(from, source.length), from + length);
    this.#bytes.set(part, to);
    this.#bytes.fill(0, to + part.length, to + length);
  }

  /** EIP-5656: the ranges may overlap. */
  move(from: number, to: number, length: number): void {
    this.#bytes.copyWithin(to, from, from + length);
  }

  clone(): Memory {
    const copy = new Memory();
    copy.#bytes = this.#bytes.slice(0, this.#size);
    copy.#size = this.#size;
    return copy;
  }
}
