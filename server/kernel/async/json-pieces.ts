/** Weight up to which a value is written at once. An entry weighs 1, and 64 characters of text weigh 1. */
const LARGE = 2_000;
/** Weight up to which a part of a large value is written by `JSON.stringify`. A deep value is weighed up to it at each level. */
const LIGHT = 250;
/** Characters written at a time. */
const PIECE = 64 * 1024;

/** Whether to write a value in pieces. Stops counting once the value is large. */
export const isLarge = (value: unknown): boolean => weightLeft(value, LARGE) < 0;

/** Values that were found to be heavier than `LIGHT`. To list the names of a large object takes long, so it is done once. */
const heavy = new WeakSet();

/** The weight that remains after a value; negative if the value is heavier. Allocates nothing: every entry of an answer is weighed. */
function weightLeft(value: unknown, weight: number): number {
  if (typeof value === 'string') return weight - (value.length >> 6);
  if (typeof value !== 'object' || value === null) return weight;
  if (weight <= LIGHT && heavy.has(value)) return -1;
  return leftAfterEntries(value, weight);
}

/** Most entries are plain: a call for each of them takes longer than the weighing. */
function leftAfterEntries(value: object, weight: number): number {
  let left = weight;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) {
      const inner: unknown = value[index];
      left -= 1;
      if (typeof inner === 'string') left -= inner.length >> 6;
      else if (typeof inner === 'object' && inner !== null) left = leftAfterEntries(inner, left);
    }
  } else {
    for (const name in value) {
      const inner = (value as Readonly<Record<string, unknown>>)[name];
      left -= 1;
      if (typeof inner === 'string') left -= inner.length >> 6;
      else if (typeof inner === 'object' && inner !== null) left = leftAfterEntries(inner, left);
      if (left < 0) break;
    }
  }
  if (weight - left > LIGHT) heavy.add(value);
  return left;
}

/**
 * The JSON of a value, in pieces of a useful size. `JSON.stringify` writes the light parts: it is fast before V8 has optimized anything.
 * @param indent spaces of each level, as those of `JSON.stringify`
 */
export function* jsonPieces(value: unknown, indent = 0): Generator<string> {
  if (!isDivided(value)) {
    yield JSON.stringify(value, null, indent);
    return;
  }
  const open = [partsOf(value, indent, 0)];
  let piece = '';
  for (let parts = open.at(-1); parts; parts = open.at(-1)) {
    const { done, value: part } = parts.next();
    if (done === true) open.pop();
    else if (typeof part === 'string') piece += part;
    else open.push(partsOf(part, indent, open.length));
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Whether a value is written entry by entry. A value with `toJSON` writes another one in its place. */
const isDivided = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !('toJSON' in value) &&
  weightLeft(value, LIGHT) < 0;

type Part = string | object;

/**
 * The JSON of an array or object in parts: texts, and the entries that are written entry by entry as they are.
 * @param depth of the value in the whole
 */
function* partsOf(value: object, indent: number, depth: number): Generator<Part, undefined> {
  const isArray = Array.isArray(value);
  const names = isArray ? undefined : Object.keys(value);
  const count = names?.length ?? (value as readonly unknown[]).length;
  const lineOf = (level: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * level)}`);
  const line = lineOf(depth + 1);
  const colon = indent === 0 ? ':' : ': ';
  let begin = isArray ? '[' : '{';
  for (let index = 0; index < count; index++) {
    const key = names?.[index] ?? index;
    const inner = (value as Readonly<Record<string | number, unknown>>)[key];
    const isInside = isDivided(inner);
    // Undefined for what JSON cannot express: an object leaves it out, and an array has null in its place.
    const json = isInside ? '' : (JSON.stringify(inner, null, indent) as string | undefined);
    if (json === undefined && !isArray) continue;
    // Strings of JSON have no line breaks.
    const text = indent === 0 ? json : json?.replaceAll('\n', line);
    yield begin + line + (isArray ? '' : JSON.stringify(key) + colon) + (text ?? 'null');
    if (isInside) yield inner;
    begin = ',';
  }
  yield (begin === ',' ? lineOf(depth) : begin) + (isArray ? ']' : '}');
}
