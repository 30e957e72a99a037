/** Two blocks after which a value differs, with nothing known between them. */
export interface Range<Value> {
  readonly low: number;
  readonly high: number;
  readonly before: Value;
  readonly after: Value;
}

/**
 * Blocks that are read at a time. Three divide a range by four with each exchange, which is what binary search does with two, for one and a
 * half times its reads.
 */
const PROBES = 3;

export interface NarrowOptions<Value> {
  /** Values after blocks. */
  readonly at: (blocks: readonly number[]) => Promise<readonly Value[]>;
  readonly isSame: (one: Value, other: Value) => boolean;
  /** Called before each exchange. */
  readonly onRange?: (range: Range<Value>) => void;
  /** Receives the other ranges that hold a change, which the reads showed by the way. */
  readonly onOther?: (range: Range<Value>) => void;
}

/**
 * Narrows a range to two adjacent blocks between which the value changed: the first change among those that the reads show. A value that
 * changed and changed back between two reads is not seen.
 */
export async function narrow<Value>(
  range: Range<Value>,
  { at, isSame, onRange, onOther }: NarrowOptions<Value>,
): Promise<Range<Value>> {
  let current = range;
  while (current.high - current.low > 1) {
    onRange?.(current);
    const blocks = probesIn(current);
    const values = await at(blocks);
    const parts = partsOf(current, blocks, values).filter(
      ({ before, after }) => !isSame(before, after),
    );
    const [first, ...others] = parts;
    // The ends of the range differ, so that one of its parts has ends that do.
    if (!first) throw new RangeError('no part of the range holds a change');
    for (const other of others) onOther?.(other);
    current = first;
  }
  return current;
}

/** Blocks strictly inside a range, evenly. */
export function probesIn({ low, high }: { low: number; high: number }): number[] {
  const inside = high - low - 1;
  const count = Math.min(PROBES, inside);
  const blocks = Array.from({ length: count }, (_, index) =>
    Math.floor(low + ((high - low) * (index + 1)) / (count + 1)),
  );
  return [...new Set(blocks)].filter((block) => block > low && block < high);
}

function partsOf<Value>(
  { low, high, before, after }: Range<Value>,
  blocks: readonly number[],
  values: readonly Value[],
): Range<Value>[] {
  const points = [
    { block: low, value: before },
    ...blocks.flatMap((block, index) => {
      const value = values[index];
      return value === undefined ? [] : [{ block, value }];
    }),
    { block: high, value: after },
  ];
  return points.slice(1).map((end, index) => {
    const start = points[index] ?? end;
    return { low: start.block, high: end.block, before: start.value, after: end.value };
  });
}
