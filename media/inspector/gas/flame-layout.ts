import type { GasProfile } from '../../../server/api/views';

type GasFrame = GasProfile['gasProfile']['frames'][number];

/** Frames of a trace, laid out side by side within their callers, in units of gas. Flat arrays, because a trace can have 100,000 frames. */
export interface FlameLayout {
  frames: readonly GasFrame[];
  /** Index of the caller; -1 for the top call. */
  parent: Int32Array;
  start: Float64Array;
  width: Float64Array;
  /** Indices by depth, each level from left to right. */
  levels: readonly (readonly number[])[];
}

/** A bar to draw; `left` and `width` in pixels. */
export interface Bar {
  index: number;
  /** Number of frames that the bar stands for, from `index` on: more than one where a level has too many for a bar each. */
  count: number;
  left: number;
  width: number;
}

/** A frame is as wide as its gas used; if that is unknown, as wide as the calls below it. */
export function flameLayout(frames: readonly GasFrame[]): FlameLayout {
  const parent = new Int32Array(frames.length).fill(-1);
  const width = new Float64Array(frames.length);
  const open: number[] = [];
  frames.forEach(({ depth, gasUsed }, index) => {
    width[index] = Math.max(gasUsed ?? 0, 1);
    while (open.length > depth) open.pop();
    parent[index] = open.at(-1) ?? -1;
    open.push(index);
  });
  const inner = new Float64Array(frames.length);
  for (let index = frames.length - 1; index >= 0; index--) {
    width[index] = Math.max(width[index] ?? 0, inner[index] ?? 0);
    const above = parent[index] ?? -1;
    if (above >= 0) inner[above] = (inner[above] ?? 0) + (width[index] ?? 0);
  }
  const start = new Float64Array(frames.length);
  const next = new Float64Array(frames.length);
  const levels: number[][] = [];
  let end = 0;
  frames.forEach(({ depth }, index) => {
    const above = parent[index] ?? -1;
    const at = above < 0 ? end : (next[above] ?? 0);
    start[index] = at;
    next[index] = at;
    const after = at + (width[index] ?? 0);
    if (above < 0) end = after;
    else next[above] = after;
    (levels[depth] ??= []).push(index);
  });
  return { frames, parent, start, width, levels };
}

/** The range of the layout that a frame covers; the full range for -1. */
export function rangeOf({ start, width, levels }: FlameLayout, frame: number): [number, number] {
  if (frame >= 0) return [start[frame] ?? 0, (start[frame] ?? 0) + (width[frame] ?? 0)];
  const last = levels[0]?.at(-1) ?? 0;
  return [0, (start[last] ?? 0) + (width[last] ?? 0)];
}

/** Narrower bars cannot be seen or clicked. */
const MIN_PIXELS = 1.5;
/** In a level with more frames, neighbours that are narrower than `NARROW_PIXELS` are one bar: thousands of elements take too long. */
const MAX_BARS = 150;
const NARROW_PIXELS = 8;

/** The bars of one depth within a range, scaled to `pixels`. */
export function barsOf(
  layout: FlameLayout,
  depth: number,
  [from, to]: readonly [number, number],
  pixels: number,
): Bar[] {
  const { start, width, levels } = layout;
  const level = levels[depth] ?? [];
  const scale = pixels / Math.max(to - from, 1);
  const bars: Bar[] = [];
  for (let at = firstEndingAfter(layout, level, from); at < level.length; at++) {
    const index = level[at] ?? 0;
    const begin = start[index] ?? 0;
    if (begin >= to) break;
    const left = Math.max(begin, from);
    const right = Math.min(begin + (width[index] ?? 0), to);
    bars.push({ index, count: 1, left: (left - from) * scale, width: (right - left) * scale });
  }
  const drawn = bars.length > MAX_BARS ? mergedBars(bars) : bars;
  return drawn.filter((bar) => bar.width >= MIN_PIXELS);
}

/** Joins narrow bars beside each other. */
function mergedBars(bars: readonly Bar[]): Bar[] {
  const merged: Bar[] = [];
  let run: Bar | undefined;
  for (const bar of bars) {
    if (bar.width >= NARROW_PIXELS) {
      merged.push(bar);
      run = undefined;
    } else if (run && bar.left - (run.left + run.width) < NARROW_PIXELS) {
      run.width = bar.left + bar.width - run.left;
      run.count += 1;
    } else {
      run = { ...bar };
      merged.push(run);
    }
  }
  return merged;
}

function firstEndingAfter(
  { start, width }: FlameLayout,
  level: readonly number[],
  from: number,
): number {
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const index = level[middle] ?? 0;
    if ((start[index] ?? 0) + (width[index] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Target frame of an arrow key: the caller, the largest call below, or the neighbours with the same caller. */
export function flameStep(layout: FlameLayout, at: number, key: string): number | undefined {
  const { parent, width, levels, frames } = layout;
  const depth = frames[at]?.depth ?? 0;
  if (key === 'ArrowUp') return (parent[at] ?? -1) < 0 ? undefined : parent[at];
  if (key === 'ArrowDown') {
    let largest: number | undefined;
    for (const index of levels[depth + 1] ?? []) {
      if (parent[index] !== at) continue;
      if (largest === undefined || (width[index] ?? 0) > (width[largest] ?? 0)) largest = index;
    }
    return largest;
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const level = levels[depth] ?? [];
  const next = level[level.indexOf(at) + (key === 'ArrowLeft' ? -1 : 1)];
  return next !== undefined && parent[next] === parent[at] ? next : undefined;
}
