import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/errors';

/** How much more than allowed is read and thrown away, so that the client gets its answer and keeps its connection. */
const DRAINED_BYTES = 128 * 1024 * 1024;

/**
 * The body of a request as text.
 * @param limit in bytes
 * @throws ApiError bodyTooLarge where it is longer: with `request.complete` its end was read, and the connection can go on;
 * cancelled where the client goes away
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const tooLarge = (): void => {
      reject(new ApiError('bodyTooLarge', `the body is longer than ${limit} bytes`));
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (length > limit + DRAINED_BYTES) {
        request.pause();
        tooLarge();
      }
    });
    request.on('end', () => {
      if (length > limit) tooLarge();
      else
        resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8'));
    });
    request.on('close', () => {
      if (!request.complete) reject(new ApiError('cancelled', 'the client went away'));
    });
    request.on('error', (error) => {
      reject(new ApiError('cancelled', 'the client went away', { cause: error }));
    });
  });
}
