import { reduceColours } from './palette';
import { compress } from './lzw';

export interface Frame {
  /** RGBA, row by row. */
  pixels: Uint8Array;
  /** How long it is shown, a multiple of 0.01. */
  seconds: number;
}

/** Index of the colour that leaves what the frame before shows. */
const UNCHANGED = 255;

/**
 * Encodes a GIF that repeats forever. All frames share one palette, and each holds only the rectangle that differs from the frame before.
 * @throws RangeError for no frame, and for one of another size
 */
export function encodeGif(frames: readonly Frame[], width: number, height: number): Buffer {
  const wrong = frames.find(({ pixels }) => pixels.length !== width * height * 4);
  if (frames.length === 0 || wrong) throw new RangeError(`frames of ${width} x ${height} pixels`);
  const { palette, indexOf } = reduceColours(
    frames.map(({ pixels }) => pixels),
    UNCHANGED,
  );
  const indexed = frames.map(({ pixels }) => {
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; i++) {
      indices[i] = indexOf(pixels[i * 4]!, pixels[i * 4 + 1]!, pixels[i * 4 + 2]!);
    }
    return indices;
  });
  const colours = Buffer.alloc(256 * 3);
  for (const [index, colour] of palette.entries()) colours.set(colour, index * 3);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...word(width), ...word(height), 0xf7, 0, 0]), // a global table of 256 colours
    colours,
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]),
    ...frames.map(({ seconds }, at) =>
      encodeFrame(indexed[at]!, indexed[at - 1], width, Math.round(seconds * 100)),
    ),
    Buffer.from([0x3b]),
  ]);
}

const word = (value: number): [number, number] => [value & 255, value >> 8];

function encodeFrame(
  indices: Uint8Array,
  before: Uint8Array | undefined,
  width: number,
  hundredths: number,
): Buffer {
  const { left, top, right, bottom } = changedArea(indices, before, width);
  const part = new Uint8Array((right - left) * (bottom - top));
  let at = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const place = y * width + x;
      part[at++] = indices[place] === before?.[place] ? UNCHANGED : indices[place]!;
    }
  }
  return Buffer.concat([
    // The frame stays below the next one, and one colour is transparent.
    Buffer.from([0x21, 0xf9, 4, 0x05, ...word(hundredths), UNCHANGED, 0]),
    Buffer.from([0x2c, ...word(left), ...word(top), ...word(right - left), ...word(bottom - top)]),
    Buffer.from([0]), // no table of its own, not interlaced
    compress(part),
  ]);
}

/** The smallest rectangle that holds every changed pixel; of a frame without a change one pixel. */
function changedArea(indices: Uint8Array, before: Uint8Array | undefined, width: number) {
  const height = indices.length / width;
  if (before === undefined) return { left: 0, top: 0, right: width, bottom: height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  indices.forEach((index, place) => {
    if (index === before[place]) return;
    const x = place % width;
    const y = (place - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  });
  return right === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : { left, top, right, bottom };
}
