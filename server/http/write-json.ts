import type { ServerResponse } from 'node:http';
import { jsonPieces } from '../kernel/async/json-pieces';
import { isTurnOver, nextTurn } from '../kernel/async/turns';
import { drained } from '../kernel/streams/write-text';

/**
 * Writes the same JSON as `JSON.stringify`, in pieces, at the client's pace, with pauses for other requests. Resolves when everything is
 * written or the client has disconnected.
 */
export async function writeJson(response: ServerResponse, value: unknown): Promise<void> {
  for (const piece of jsonPieces(value)) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
    if (isTurnOver()) await nextTurn();
  }
}
