const CODE_BITS = 8;
const CLEAR = 1 << CODE_BITS;
const END = CLEAR + 1;
const MAX_CODES = 4096;

/** Image data of a GIF with 256 colours: LZW codes of 9 to 12 bits, in blocks of up to 255 bytes. */
export function compress(indices: Uint8Array): Buffer {
  const bytes: number[] = [];
  let [pending, pendingBits] = [0, 0];
  const write = (code: number, bits: number): void => {
    pending |= code << pendingBits;
    pendingBits += bits;
    while (pendingBits >= 8) {
      bytes.push(pending & 255);
      pending >>>= 8;
      pendingBits -= 8;
    }
  };

  let codes = new Map<number, number>();
  let next = END + 1;
  let bits = CODE_BITS + 1;
  write(CLEAR, bits);
  let prefix = indices[0]!;
  for (const index of indices.subarray(1)) {
    const key = (prefix << CODE_BITS) | index;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix, bits);
    prefix = index;
    if (next === MAX_CODES) {
      write(CLEAR, bits);
      codes = new Map();
      next = END + 1;
      bits = CODE_BITS + 1;
      continue;
    }
    if (next === 1 << bits) bits++;
    codes.set(key, next++);
  }
  write(prefix, bits);
  write(END, bits);
  if (pendingBits > 0) bytes.push(pending & 255);
  return inBlocks(bytes);
}

function inBlocks(bytes: readonly number[]): Buffer {
  const blocks: Buffer[] = [Buffer.from([CODE_BITS])];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
