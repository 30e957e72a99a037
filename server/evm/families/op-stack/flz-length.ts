/** Length of the hash table of FastLZ, and the greatest distance of a match. */
const TABLE = 8_192;
const MAX_DISTANCE = 8_191;
/** Bytes at the end that are always literals. */
const TAIL = 13;

/** Length of the data after compression by FastLZ level 1, in bytes: the measure of L1 fees since Fjord (OP specs, Fjord). */
export function flzLength(data: Uint8Array): number {
  const limit = data.length < TAIL ? 0 : data.length - TAIL;
  const table = new Uint32Array(TABLE);
  const at = (index: number): number => data[index] ?? 0;
  const three = (index: number): number => at(index) | (at(index + 1) << 8) | (at(index + 2) << 16);
  const place = (value: number): number => (Math.imul(2_654_435_769, value) >>> 19) & (TABLE - 1);
  let length = 0;
  let anchor = 0;
  let position = 2;
  while (position < limit) {
    const value = three(position);
    const slot = place(value);
    const candidate = table[slot] ?? 0;
    table[slot] = position;
    if (position - candidate > MAX_DISTANCE || value !== three(candidate)) {
      position++;
      continue;
    }
    // A match at the last place does not count.
    if (position + 1 >= limit) break;
    if (position > anchor) length += literals(position - anchor);
    let matched = 0;
    const most = limit + 9 - (position + 3);
    while (matched < most) {
      matched++;
      if (at(candidate + 3 + matched - 1) !== at(position + 3 + matched - 1)) break;
    }
    length += match(matched);
    position += matched;
    for (let hashed = 0; hashed < 2; hashed++) table[place(three(position))] = position++;
    anchor = position;
  }
  return length + literals(data.length - anchor);
}

/** A run of literals: one byte before each 32. */
const literals = (count: number): number => count + Math.ceil(count / 32);

/** @param matched bytes after the first three, the one that ended the match included */
function match(matched: number): number {
  const rest = matched - 1;
  return 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2);
}
