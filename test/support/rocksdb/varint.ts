/** Reads numbers and strings of LevelDB's encoding, one after the other. */
export class VarintReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  /** At most 2^53 - 1. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error('the number ends too early');
      value += (byte & 0x7f) * scale;
      if (byte < 128) return value;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    if (this.at > this.bytes.length) throw new Error('the data ends too early');
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** A string after its length. */
  string(): Uint8Array {
    return this.take(this.number());
  }
}
