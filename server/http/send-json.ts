import type { Response } from 'express';
import type { Envelope } from '../api/envelope';
import { isLarge } from '../kernel/async/json-pieces';
import { writeJson } from './write-json';

/** Sends an answer. Streams a large one, so that it neither blocks other requests nor is in memory twice. */
export async function sendJson(response: Response, envelope: Envelope<unknown>): Promise<void> {
  if (!isLarge(envelope)) {
    response.json(envelope);
    return;
  }
  response.type('json');
  await writeJson(response, envelope);
  if (!response.destroyed) response.end();
}
