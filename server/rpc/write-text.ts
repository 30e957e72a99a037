import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Characters that are handed over at a time: a reader that takes some is seen to be there. */
const PIECE = 64 * 1024;

/** Writes a text as fast as its reader takes it. Resolves when it is handed over, or the reader is gone. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  for (const piece of piecesOf(text)) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await drained(stream);
  }
}

/** Resolves when a stream takes more, or is gone. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } catch {
    // its connection failed: the next look at it tells
  } finally {
    settled.abort();
  }
}

/** The pieces of a text, in order. */
export function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    let end = start + PIECE;
    // A pair of surrogates is one character.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
    yield text.slice(start, end);
    start = end;
  }
}
