type Colour = [red: number, green: number, blue: number];

/** Colours with how often they occur. */
interface Box {
  colours: { colour: Colour; count: number }[];
  weight: number;
}

/**
 * Chooses a palette by median cut.
 * @param images RGBA
 * @param size most colours of the palette
 * @returns the palette, and the index of the colour in it that stands for a colour of the images
 */
export function reduceColours(
  images: readonly Uint8Array[],
  size: number,
): { palette: Colour[]; indexOf: (red: number, green: number, blue: number) => number } {
  const boxes = [boxOf(countColours(images))];
  while (boxes.length < size) {
    const splittable = boxes.filter(({ colours }) => colours.length > 1);
    if (splittable.length === 0) break;
    const widest = splittable.reduce((best, box) => (worth(box) > worth(best) ? box : best));
    boxes.splice(boxes.indexOf(widest), 1, ...split(widest));
  }
  const indices = new Map(
    boxes.flatMap(({ colours }, index) => colours.map(({ colour }) => [keyOf(...colour), index])),
  );
  return {
    palette: boxes.map(meanOf),
    indexOf: (red, green, blue) => indices.get(keyOf(red, green, blue)) ?? 0,
  };
}

const keyOf = (red: number, green: number, blue: number): number =>
  (red << 16) | (green << 8) | blue;

function countColours(images: readonly Uint8Array[]): Box['colours'] {
  const counts = new Map<number, number>();
  for (const image of images) {
    for (let at = 0; at < image.length; at += 4) {
      const key = keyOf(image[at]!, image[at + 1]!, image[at + 2]!);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => ({
    colour: [key >> 16, (key >> 8) & 255, key & 255],
    count,
  }));
}

function boxOf(colours: Box['colours']): Box {
  return { colours, weight: colours.reduce((sum, { count }) => sum + count, 0) };
}

/** The channel in which the colours of a box differ most, and how much. */
function widestChannel({ colours }: Box): { channel: 0 | 1 | 2; range: number } {
  const ranges = ([0, 1, 2] as const).map((channel) => {
    let [least, most] = [255, 0];
    for (const { colour } of colours) {
      least = Math.min(least, colour[channel]);
      most = Math.max(most, colour[channel]);
    }
    return { channel, range: most - least };
  });
  return ranges.reduce((best, one) => (one.range > best.range ? one : best));
}

/** Rare colours that differ much matter as well: icons, and marks of gain and loss. */
const worth = (box: Box): number => widestChannel(box).range * Math.log2(box.weight + 1);

function split(box: Box): [Box, Box] {
  const { channel } = widestChannel(box);
  const sorted = box.colours.toSorted((a, b) => a.colour[channel] - b.colour[channel]);
  let sum = 0;
  const middle = sorted.findIndex(({ count }) => (sum += count) >= box.weight / 2) + 1;
  const cut = Math.min(middle, sorted.length - 1);
  return [boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut))];
}

function meanOf({ colours, weight }: Box): Colour {
  const mean = (channel: 0 | 1 | 2): number =>
    Math.round(
      colours.reduce((sum, { colour, count }) => sum + colour[channel] * count, 0) / weight,
    );
  return [mean(0), mean(1), mean(2)];
}
