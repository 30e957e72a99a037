import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { LocalHandler } from './context';

/**
 * Assigns an id to each request (`X-Request-Id` of its answer), and logs the request when it ends. Omits paths, which may contain secrets.
 */
export function createRequestLog(log: Logger): LocalHandler {
  return (request, response, next) => {
    const requestId = randomBytes(8).toString('hex');
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    const start = performance.now();
    response.on('close', () => {
      const { operation, code } = response.locals;
      log.info(
        {
          requestId,
          method: request.method,
          operation,
          status: response.statusCode,
          code: code ?? 0,
          finished: response.writableFinished,
          durationMs: Math.round(performance.now() - start),
        },
        'request',
      );
    });
    next();
  };
}
