import type { Response } from 'express';
import type { Envelope } from '../api/envelope';
import { isLarge, writeJson } from './write-json';

/** Sends an answer; a large one as a stream, so that it neither blocks nor stands in memory twice. */
export async function sendJson(response: Response, envelope: Envelope<unknown>): Promise<void> {
  if (!isLarge(envelope)) {
    response.json(envelope);
    return;
  }
  response.type('json');
  await writeJson(response, envelope);
  if (!response.destroyed) response.end();
}
