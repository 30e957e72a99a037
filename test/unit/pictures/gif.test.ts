import assert from 'node:assert/strict';
import { encodeGif } from '../../pictures/gif';
import { compress } from '../../pictures/lzw';

/** What a viewer makes of image data: the other direction of `compress`, after the GIF specification. */
function decompress(data: Buffer): number[] {
  const bytes: number[] = [];
  for (let at = 1; data[at] !== 0; at += data[at]! + 1) {
    bytes.push(...data.subarray(at + 1, at + 1 + data[at]!));
  }
  const output: number[] = [];
  let table: number[][] = [];
  let [position, bits] = [0, 9];
  let previous: number[] | undefined;
  const read = (): number => {
    let code = 0;
    for (let bit = 0; bit < bits; bit++, position++) {
      code |= ((bytes[position >> 3]! >> (position & 7)) & 1) << bit;
    }
    return code;
  };
  for (let code = read(); code !== 257; code = read()) {
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, index) => [index]);
      [bits, previous] = [9, undefined];
      continue;
    }
    const entry = table[code] ?? [...previous!, previous![0]!];
    output.push(...entry);
    if (previous && table.length < 4096) table.push([...previous, entry[0]!]);
    if (table.length === 1 << bits && bits < 12) bits++;
    previous = entry;
  }
  return output;
}

/** Values that repeat little, so that the table of codes fills up more than once. */
const mixed = Uint8Array.from({ length: 40_000 }, (_, index) => (index * index * 31 + index) % 251);

const rgba = (...colours: [number, number, number][]): Uint8Array =>
  Uint8Array.from(colours.flatMap((colour) => [...colour, 255]));

const RED: [number, number, number] = [255, 0, 0];
const BLUE: [number, number, number] = [0, 0, 255];

describe('moving pictures', () => {
  for (const [name, data] of Object.entries({
    'a single pixel': Uint8Array.of(7),
    'one colour': new Uint8Array(100_000),
    'many colours': mixed,
  })) {
    it(`come back from ${name}`, () => {
      assert.deepEqual(decompress(compress(data)), [...data]);
    });
  }

  it('hold of each frame what differs from the one before', () => {
    const frames = [
      { pixels: rgba(RED, RED, RED, RED), seconds: 1.5 },
      { pixels: rgba(RED, RED, RED, BLUE), seconds: 0.2 },
    ];
    const gif = encodeGif(frames, 2, 2);
    assert.equal(gif.toString('latin1', 0, 6), 'GIF89a');
    assert.deepEqual([gif.readUInt16LE(6), gif.readUInt16LE(8)], [2, 2]);
    const palette = gif.subarray(13, 13 + 768);
    const parts: object[] = [];
    // After the header, the palette and the block that repeats the picture.
    for (let at = 13 + 768 + 19; gif[at] === 0x21;) {
      const hundredths = gif.readUInt16LE(at + 4);
      const place = [9, 11, 13, 15].map((offset) => gif.readUInt16LE(at + offset));
      const data = gif.subarray(at + 18);
      const colours = decompress(data).map((index) => [
        ...palette.subarray(index * 3, index * 3 + 3),
      ]);
      parts.push({ hundredths, place, colours });
      let length = 1;
      while (data[length] !== 0) length += data[length]! + 1;
      at += 18 + length + 1;
    }
    assert.deepEqual(parts, [
      { hundredths: 150, place: [0, 0, 2, 2], colours: [RED, RED, RED, RED] },
      { hundredths: 20, place: [1, 1, 1, 1], colours: [BLUE] },
    ]);
    assert.equal(gif.at(-1), 0x3b);
  });

  it('refuse no frame, and frames of another size', () => {
    const wrong = { name: 'RangeError', message: 'frames of 2 x 2 pixels' };
    assert.throws(() => encodeGif([], 2, 2), wrong);
    assert.throws(() => encodeGif([{ pixels: rgba(RED), seconds: 1 }], 2, 2), wrong);
  });
});
