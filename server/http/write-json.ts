import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyChunked } from '@discoveryjs/json-ext';
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
export const jsonPieces = (value: unknown): Generator<string> =>
  stringifyChunked(value, { highWaterMark: PIECE });
