/** Similarity of two items: from 0 (different) to {@link SAME} (equal). Only items with a similarity above 0 are paired. */
export type Similarity = (left: number, right: number) => number;
export const SAME = 4;

/** If the product of two list lengths exceeds this, only items between equal keys are compared one by one. */
const EXACT_LIMIT = 250_000;

type Pair = readonly [left: number, right: number];

/** Half-open index range of a list. */
interface Range {
  from: number;
  to: number;
}

/** The pairs with the greatest total similarity that keep both orders, by dynamic programming. */
function exactPairs(left: Range, right: Range, similarity: Similarity): Pair[] {
  const rows = left.to - left.from;
  const columns = right.to - right.from;
  const width = columns + 1;
  /** best[i * width + j]: best total for the items from i and from j on. */
  const best = new Int32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const like = similarity(left.from + i, right.from + j);
      const paired = like > 0 ? like + (best[(i + 1) * width + j + 1] ?? 0) : 0;
      const skipped = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      best[i * width + j] = Math.max(paired, skipped);
    }
  }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    const here = best[i * width + j];
    if (here === best[(i + 1) * width + j]) i++;
    else if (here === best[i * width + j + 1]) j++;
    else pairs.push([left.from + i++, right.from + j++]);
  }
  return pairs;
}

/** The longest chain of pairs that ascends on both sides. The input pairs must ascend on the left side. */
function longestAscending(pairs: readonly Pair[]): Pair[] {
  /** tails[n]: index in `pairs` of the lowest right side that ends a chain of n + 1 pairs. */
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, right], at) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] ?? -1]?.[1] ?? Infinity) < right) low = middle + 1;
      else high = middle;
    }
    before[at] = tails[low - 1] ?? -1;
    tails[low] = at;
  });
  const chain: Pair[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chain.push(pair);
  }
  return chain.reverse();
}

/** Pairs the n-th item with a key with the n-th item with the same key on the other side, where the orders agree. */
function anchors(left: Range, right: Range, keys: Keys): Pair[] {
  const places = new Map<string, number[]>();
  for (let at = right.to - 1; at >= right.from; at--) {
    const key = keys.right(at);
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const pairs: Pair[] = [];
  for (let at = left.from; at < left.to; at++) {
    const place = places.get(keys.left(at))?.pop();
    if (place !== undefined) pairs.push([at, place]);
  }
  return longestAscending(pairs);
}

/** Keys of the items on each side; items with the same key are similar. */
export interface Keys {
  left: (index: number) => string;
  right: (index: number) => string;
}

/**
 * Pairs the items of two lists in order. Equal beginnings and ends are paired in linear time. The rest is paired optimally if it is
 * short, and by equal keys if it is long, which avoids work proportional to the product of two long lists.
 * @returns pairs of indices, ascending on both sides
 */
export function alignLists(
  lengths: { left: number; right: number },
  similarity: Similarity,
  keys: Keys,
): Pair[] {
  const left: Range = { from: 0, to: lengths.left };
  const right: Range = { from: 0, to: lengths.right };
  const start: Pair[] = [];
  const end: Pair[] = [];
  const bothLeft = (): boolean => left.from < left.to && right.from < right.to;
  while (bothLeft() && similarity(left.from, right.from) === SAME) {
    start.push([left.from++, right.from++]);
  }
  while (bothLeft() && similarity(left.to - 1, right.to - 1) === SAME) {
    end.push([--left.to, --right.to]);
  }
  const middle: Pair[] = [];
  const product = (left.to - left.from) * (right.to - right.from);
  const fixed = product <= EXACT_LIMIT ? [] : anchors(left, right, keys);
  let [fromLeft, fromRight] = [left.from, right.from];
  for (const [toLeft, toRight] of [...fixed, [left.to, right.to] as const]) {
    const gap = [
      { from: fromLeft, to: toLeft },
      { from: fromRight, to: toRight },
    ] as const;
    if ((toLeft - fromLeft) * (toRight - fromRight) <= EXACT_LIMIT) {
      for (const pair of exactPairs(...gap, similarity)) middle.push(pair);
    }
    if (toLeft < left.to) middle.push([toLeft, toRight]);
    [fromLeft, fromRight] = [toLeft + 1, toRight + 1];
  }
  return [...start, ...middle, ...end.reverse()];
}
