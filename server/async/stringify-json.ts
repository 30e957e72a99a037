import type { Work } from './slices';

/** Levels of arrays and objects whose members are written one by one. Of a syntax tree, what is below them is short. */
const LEVELS = 5;

/**
 * `JSON.stringify` of plain data as interruptible work.
 * @returns the pieces of the text, in UTF-8
 */
export function* stringifyJsonWork(value: unknown, levels = LEVELS): Work<Buffer[]> {
  const pieces: Buffer[] = [];
  yield* write(value, levels, pieces, '');
  return pieces;
}

/** @param before is written in front of the value */
function* write(value: unknown, levels: number, pieces: Buffer[], before: string): Work<void> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    pieces.push(Buffer.from(before + (value === undefined ? 'null' : JSON.stringify(value))));
    yield 1;
    return;
  }
  const isArray = Array.isArray(value);
  let start = before + (isArray ? '[' : '{');
  for (const [key, member] of Object.entries(value)) {
    if (!isArray && member === undefined) continue;
    yield* write(member, levels - 1, pieces, isArray ? start : `${start}${JSON.stringify(key)}:`);
    start = ',';
  }
  const isEmpty = start !== ',';
  pieces.push(Buffer.from((isEmpty ? start : '') + (isArray ? ']' : '}')));
}
