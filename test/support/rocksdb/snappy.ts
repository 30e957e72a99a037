import { VarintReader } from './varint';

/** Decompresses a block: https://github.com/google/snappy/blob/main/format_description.txt */
export function unsnappy(bytes: Uint8Array): Buffer {
  const reader = new VarintReader(bytes);
  const output = Buffer.alloc(reader.number());
  const little = (length: number): number => Buffer.from(reader.take(length)).readUIntLE(0, length);
  let end = 0;
  while (reader.at < bytes.length) {
    const tag = reader.take(1)[0]!;
    const kind = tag & 3;
    const upper = tag >> 2;
    if (kind === 0) {
      const literal = reader.take(1 + (upper < 60 ? upper : little(upper - 59)));
      output.set(literal, end);
      end += literal.length;
      continue;
    }
    const length = kind === 1 ? 4 + (upper & 7) : 1 + upper;
    const offset = kind === 1 ? ((tag >> 5) << 8) | little(1) : little(kind === 2 ? 2 : 4);
    // Source and target may overlap, so bytes are copied one by one.
    for (let i = 0; i < length; i++, end++) output[end] = output[end - offset]!;
  }
  return output;
}
