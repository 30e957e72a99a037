import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { drained } from '../rpc/write-text';

/** Entries, or 64 characters of text each, up to which a value is written at once. */
const LARGE = 2_000;
/** Characters that are written at a time. */
const PIECE = 64 * 1024;
/** Longest time without a turn for other requests, in milliseconds. */
const SLICE_MS = 12;

/** Whether a value is better written in pieces. It is looked at only as far as needed. */
export const isLarge = (value: unknown): boolean => weightLeft(value, LARGE) < 0;

/** What is left of a weight behind a value; negative where the value has more. */
function weightLeft(value: unknown, weight: number): number {
  if (typeof value === 'string') return weight - value.length / 64;
  if (typeof value !== 'object' || value === null) return weight;
  let left = weight;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    left = weightLeft(inner, left - 1);
    if (left < 0) break;
  }
  return left;
}

/**
 * Writes a value as `JSON.stringify` does, as fast as the client takes it, and neither as one text nor without pauses.
 * Resolves when all is handed over, or the client is gone.
 */
export async function writeJson(response: ServerResponse, value: unknown): Promise<void> {
  let started = performance.now();
  for (const piece of jsonPieces(value)) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
    if (performance.now() - started < SLICE_MS) continue;
    await nextTurn();
    started = performance.now();
  }
}

/** The JSON of a value, in texts of a length that is worth writing. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  let piece = '';
  for (const text of jsonOf(value)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* jsonOf(value: unknown): Generator<string, void, undefined> {
  if (!isLarge(value) || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, one] of value.entries()) {
      if (index > 0) yield ',';
      yield* jsonOf(one === undefined ? null : one);
    }
    yield ']';
  } else {
    yield '{';
    let separator = '';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      yield* jsonOf(member);
      separator = ',';
    }
    yield '}';
  }
}
