import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api/errors';

/** Bytes beyond the limit that are read and discarded, so that the client receives its answer and keeps its connection. */
const DRAINED_BYTES = 128 * 1024 * 1024;

interface BodyLimits {
  /** In bytes. */
  limit: number;
  /** Called with the number of bytes of each chunk; throws to refuse them. */
  take?: (bytes: number) => void;
}

/**
 * Reads the body of a request as text.
 * @throws ApiError bodyTooLarge if the body is longer, and what `take` throws: if `request.complete`, the body was read to its end and the
 * connection can be reused; cancelled if the client disconnects
 */
export const readBody = (request: IncomingMessage, limits: BodyLimits): Promise<string> =>
  new Promise((resolve, reject) => {
    receiveBody(request, limits, (error, text) => {
      if (error) reject(error);
      else resolve(text);
    });
  });

/**
 * As `readBody`, without a promise: a fork's address takes many small requests.
 * @param end called once, with the body or with the error
 */
export function receiveBody(
  request: IncomingMessage,
  { limit, take = nothing }: BodyLimits,
  end: (error: Error | undefined, text: string) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let refused: Error | undefined;
  let isEnded = false;
  const keep = (chunk: Buffer): void => {
    try {
      take(chunk.length);
      chunks.push(chunk);
    } catch (error) {
      refused = error as Error;
    }
  };
  const endOnce = (error: Error | undefined, text = ''): void => {
    if (isEnded) return;
    isEnded = true;
    end(error, text);
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
    endOnce(refused);
  });
  request.on('end', () => {
    if (refused) endOnce(refused);
    else endOnce(undefined, String(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  });
  request.on('close', () => {
    if (!request.complete) endOnce(new ApiError('cancelled', 'the client disconnected'));
  });
  request.on('error', (error) => {
    endOnce(new ApiError('cancelled', 'the client disconnected', { cause: error }));
  });
}

const nothing = (): void => undefined;
