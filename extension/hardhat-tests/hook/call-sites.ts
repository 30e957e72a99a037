import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A function's name, if there is one, and in parentheses its place. */
const FRAME = /^at (?:async )?(?:(?!file:|\/|[A-Za-z]:[\\/]).*? \()?(.+?):(\d+):\d+\)?$/;

/** Files and lines of a stack, from the innermost, as source maps tell them. */
function* framesOf(stack: string): Generator<{ file: string; line: number }> {
  for (const text of stack.split('\n')) {
    const [, place = '', line] = FRAME.exec(text.trim()) ?? [];
    if (line === undefined) continue;
    const isUrl = place.startsWith('file:');
    // Mocha writes paths of the working directory without it.
    const file = isUrl ? fileURLToPath(place.replace(/\?.*$/, '')) : path.resolve(place);
    yield { file, line: Number(line) };
  }
}

/** @returns the line of `file` in a stack, from 1 */
export function lineIn(stack: string | undefined, file: string): number | undefined {
  for (const frame of framesOf(stack ?? '')) if (frame.file === file) return frame.line;
  return undefined;
}

/** The stack of the caller, deep enough for helpers that declare tests. */
export function stackHere(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = limit;
  return stack;
}
