import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Envelope } from '../api/envelope';

/** Answers with more entries than this are written piece by piece. */
const LARGE = 2_000;
/** Characters of a piece: between two, other requests have their turn. */
const PIECE = 64 * 1024;

type Entries = Readonly<Record<string, unknown>>;

/** Sends an answer; one with large maps (the nodes of a call tree) as a stream, so that it neither blocks nor stands in memory twice. */
export async function sendJson(response: Response, envelope: Envelope<unknown>): Promise<void> {
  const { data, ...head } = envelope;
  if (!isMap(data) || !Object.values(data).some(isLarge)) {
    response.json(envelope);
    return;
  }
  response.type('json');
  try {
    await pipeline(Readable.from(pieces(head, data), { highWaterMark: 4 }), response);
  } catch (error) {
    if (!response.destroyed) throw error; // else the client is gone
  }
}

function* pieces(head: Entries, data: Entries): Generator<string, void, undefined> {
  let piece = `${JSON.stringify(head).slice(0, -1)},`;
  for (const text of entriesOf('data', data)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}}`;
}

/** A named map: entry by entry, and so what is large in it. */
function* entriesOf(name: string, map: Entries): Generator<string, void, undefined> {
  yield `${JSON.stringify(name)}:{`;
  let separator = '';
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    yield separator;
    if (isLarge(value)) yield* entriesOf(key, value);
    else yield `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    separator = ',';
  }
  yield '}';
}

const isMap = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLarge = (value: unknown): value is Entries =>
  isMap(value) && Object.keys(value).length > LARGE;
