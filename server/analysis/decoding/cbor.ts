/** Values of CBOR that the service reads: others are null. */
export type CborValue = string | CborValue[] | Map<string, CborValue> | null;

const MAX_DEPTH = 8;
const [INTEGER, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE] = [0, 1, 2, 3, 4, 5, 6, 7];
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one value of CBOR (RFC 8949) with lengths of at most two bytes. Its time is bounded by the length of the data.
 * @throws RangeError if the data is not exactly such a value
 * @throws TypeError if a text is not UTF-8
 */
export function readCbor(data: Uint8Array): CborValue {
  const reader = new Reader(data);
  const value = reader.value(0);
  if (reader.at !== data.length) throw new RangeError('data after the value');
  return value;
}

class Reader {
  at = 0;

  constructor(private readonly data: Uint8Array) {}

  value(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    const head = this.#byte();
    const major = head >> 5;
    const count = this.#count(head & 0x1f);
    switch (major) {
      case TEXT:
        return utf8.decode(this.#take(count));
      case ARRAY:
        return this.#times(count, () => this.value(depth + 1));
      case MAP:
        return new Map(
          this.#times(count, () => {
            const key = this.value(depth + 1);
            return [typeof key === 'string' ? key : '', this.value(depth + 1)];
          }),
        );
      case TAG:
        return this.value(depth + 1);
      case BYTES:
        this.#take(count);
        return null;
      case INTEGER:
      case NEGATIVE:
      case SIMPLE:
      default:
        return null;
    }
  }

  /** Every item has at least one byte, so a count beyond the data is refused at once. */
  #times<T>(count: number, read: () => T): T[] {
    if (count > this.data.length - this.at) throw new RangeError('too short');
    return Array.from({ length: count }, read);
  }

  #byte(): number {
    const [byte = 0] = this.#take(1);
    return byte;
  }

  #take(length: number): Uint8Array {
    if (length > this.data.length - this.at) throw new RangeError('too short');
    return this.data.subarray(this.at, (this.at += length));
  }

  /** Number after the major type. Longer integers and floating-point numbers are passed over. */
  #count(low: number): number {
    if (low < 24) return low;
    if (low > 27) throw new RangeError('a length that is not given');
    return this.#take(2 ** (low - 24)).reduce((sum, byte) => sum * 256 + byte, 0);
  }
}
