import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyChunked } from '@discoveryjs/json-ext';
import { drained } from '../streams/write-text';

/** Weight up to which a value is written at once. An entry weighs 1, and 64 characters of text weigh 1. */
const LARGE = 2_000;
/** Characters written at a time. */
const PIECE = 64 * 1024;
/** Longest time without serving other requests, in milliseconds. */
const SLICE_MS = 12;

/** Whether to write a value in pieces. Stops counting once the value is large. */
export const isLarge = (value: unknown): boolean => weightLeft(value, LARGE) < 0;

/** The weight that remains after a value; negative if the value is heavier. */
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
 * Writes the same JSON as `JSON.stringify`, in pieces, at the client's pace, with pauses for other requests. Resolves when everything is
 * written or the client has disconnected.
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

/** The JSON of a value, in pieces of a useful size. */
export const jsonPieces = (value: unknown): Generator<string> =>
  stringifyChunked(value, { highWaterMark: PIECE });
