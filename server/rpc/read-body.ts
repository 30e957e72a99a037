import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/errors';

/**
 * The body of a request as text.
 * @throws ApiError bodyTooLarge as soon as it is longer than `limit` bytes; cancelled where the client goes away
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) {
        throw new ApiError('bodyTooLarge', `the body is longer than ${limit} bytes`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('cancelled', 'the client went away', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}
