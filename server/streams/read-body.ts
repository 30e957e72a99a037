import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/errors';

/** Bytes beyond the limit that are read and discarded, so that the client receives its answer and keeps its connection. */
const DRAINED_BYTES = 128 * 1024 * 1024;

/**
 * Reads the body of a request as text.
 * @param limit in bytes
 * @param take called with the number of bytes of each chunk; throws to refuse them
 * @throws ApiError bodyTooLarge if the body is longer, and what `take` throws: if `request.complete`, the body was read to its end and the
 * connection can be reused; cancelled if the client disconnects
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  take: (bytes: number) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let refused: Error | undefined;
    const keep = (chunk: Buffer): void => {
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refused = error as Error;
      }
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        refused ??= new ApiError('bodyTooLarge', `the body is longer than ${limit} bytes`);
      }
      if (!refused) keep(chunk);
      if (!refused) return;
      chunks.length = 0;
      if (length <= limit + DRAINED_BYTES) return;
      request.pause();
      reject(refused);
    });
    request.on('end', () => {
      if (refused) reject(refused);
      else
        resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8'));
    });
    request.on('close', () => {
      if (!request.complete) reject(new ApiError('cancelled', 'the client disconnected'));
    });
    request.on('error', (error) => {
      reject(new ApiError('cancelled', 'the client disconnected', { cause: error }));
    });
  });
}
