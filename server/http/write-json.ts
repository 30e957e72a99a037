import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonPieces } from '../async/json-pieces';
import { drained } from '../streams/write-text';

/** Longest time without serving other requests, in milliseconds. */
const SLICE_MS = 12;

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
