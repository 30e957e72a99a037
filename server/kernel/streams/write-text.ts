import type { Writable } from 'node:stream';

/** Characters that are written at a time, so that progress of a slow reader is visible. */
const PIECE = 64 * 1024;
const ENDS_OF_WAIT = ['drain', 'close', 'error'] as const;

/** Writes a text at the speed of its reader. Resolves when it is written, or when the reader has disconnected. */
export async function writeText(stream: Writable, text: string): Promise<void> {
  for (const piece of piecesOf(text)) {
    if (stream.destroyed) return;
    if (!stream.write(piece)) await drained(stream);
  }
}

/** Resolves when a stream accepts more, or when it is closed or has failed: the caller checks `destroyed` next. Long answers wait often. */
export function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const event of ENDS_OF_WAIT) stream.off(event, settle);
      resolve();
    };
    for (const event of ENDS_OF_WAIT) stream.on(event, settle);
  });
}

/** The pieces of a text, in order. */
export function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    let end = start + PIECE;
    // A surrogate pair is one character.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
    yield text.slice(start, end);
    start = end;
  }
}
