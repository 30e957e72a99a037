/** Limits of a slice. The text is in UTF-16 units; one item alone may be longer. */
const MAX_ITEMS = 2_000;
const MAX_TEXT = 512 * 1024;

/** A list as JSON arrays of a size that no process takes long to pass on. */
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
