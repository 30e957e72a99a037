import type { Logger } from 'pino';
import { currentTrace, traceFields, traceOf } from '../kernel/requests/request-trace';
import { clientAddress } from '../kernel/streams/client-address';
import type { LocalHandler } from './context';

/** Logs each request when it ends. Omits paths, which may contain secrets. */
export function createRequestLog(log: Logger): LocalHandler {
  return (request, response, next) => {
    const trace = currentTrace() ?? traceOf(request.headers);
    response.locals.requestId = trace.id;
    const client = clientAddress(request);
    const start = performance.now();
    response.on('close', () => {
      const { operation, code } = response.locals;
      log.info(
        {
          ...traceFields(trace),
          client,
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
