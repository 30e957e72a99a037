import type { FileHandle } from 'node:fs/promises';

/** A line of a file that ends with a line feed. */
export interface Line {
  offset: number;
  /** Bytes, including the line feed. */
  size: number;
  /** Without the line feed. Valid until the next line is read. Undefined if the line is longer than any valid line. */
  bytes: Buffer | undefined;
  /** The line contains a zero byte, which is not valid in JSON. A crash can leave zeros in place of the last record. */
  hasZero: boolean;
}

const CHUNK_BYTES = 256 * 1024;
/** Far above the largest request. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;
const LINE_FEED = 10;

/** Reads the lines of a file with one chunk and one line in memory. Skips the text after the last line feed. */
export async function* readLines(
  file: FileHandle,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  let offset = 0;
  let parts: Buffer[] = [];
  let hasZero = false;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    const read = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let at = read.indexOf(LINE_FEED); at !== -1; at = read.indexOf(LINE_FEED, from)) {
      const tail = read.subarray(from, at);
      const size = position + at + 1 - offset;
      yield {
        offset,
        size,
        bytes: size > maxLineBytes ? undefined : joined(parts, tail),
        hasZero: hasZero || tail.includes(0),
      };
      parts = [];
      hasZero = false;
      from = at + 1;
      offset = position + from;
    }
    const rest = read.subarray(from);
    hasZero ||= rest.includes(0);
    position += bytesRead;
    if (position - offset > maxLineBytes) parts = [];
    else if (rest.length > 0) parts.push(Buffer.from(rest));
  }
}

const joined = (parts: readonly Buffer[], tail: Buffer): Buffer =>
  parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
