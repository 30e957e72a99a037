import type { SourceMap, SourceRange } from './source-map';

const found = new WeakMap<SourceMap, Map<number, SourceRange | undefined>>();

/**
 * The last range at or before an instruction, in code that is executed with it, of a file that is known. Kept by map and offset: any number
 * of calls may end in a block of code of any length.
 * @param isKnown the same for all ranges of a map
 */
export function knownUpTo(
  map: SourceMap,
  offset: number,
  isKnown: (range: SourceRange) => boolean,
): SourceRange | undefined {
  const kept = found.get(map) ?? new Map<number, SourceRange | undefined>();
  found.set(map, kept);
  if (!kept.has(offset)) kept.set(offset, firstOf(map.upTo(offset), isKnown));
  return kept.get(offset);
}

function firstOf(
  ranges: Iterable<SourceRange>,
  isKnown: (range: SourceRange) => boolean,
): SourceRange | undefined {
  for (const range of ranges) if (isKnown(range)) return range;
  return undefined;
}
