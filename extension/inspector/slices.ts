/** Limits of a slice. Text length is in UTF-16 units; a single item may exceed it. */
const MAX_ITEMS = 2_000;
const MAX_TEXT = 512 * 1024;

/** Splits a list into JSON arrays that are small enough to transfer without blocking a process. */
export function* slicesOf(items: readonly unknown[]): Generator<string, void, undefined> {
  let slice: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    if (slice.length > 0 && (slice.length >= MAX_ITEMS || length + text.length > MAX_TEXT)) {
      yield `[${slice.join()}]`;
      slice = [];
      length = 0;
    }
    slice.push(text);
    length += text.length;
  }
  if (slice.length > 0) yield `[${slice.join()}]`;
}
