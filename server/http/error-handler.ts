import type { Logger } from 'pino';
import { failure, success } from '../api/envelope';
import { ApiError, shown, systemLimit } from '../api/errors';
import { RpcError } from '../evm/forms/json-rpc';
import type { LocalErrorHandler, LocalHandler } from './context';
import { passOnFailed } from './pass-on';

/** Answers requests that no route handled: 405 with `Allow` for a known path, else 404. OPTIONS returns the methods. */
export const answerUnrouted: LocalHandler = (request, response) => {
  const methods = response.locals.allowedMethods;
  if (methods === undefined) {
    throw new ApiError('routeNotFound', `there is no route ${shown(request.path)}`);
  }
  const allowed = [...new Set([...methods, 'OPTIONS'])].join(', ');
  response.set('Allow', allowed);
  if (request.method === 'OPTIONS') {
    response.json(success(null));
    return;
  }
  throw new ApiError(
    'methodNotAllowed',
    `${request.method} is not allowed on ${shown(request.path)}; accepted: ${allowed}`,
  );
};

/** Converts all errors to answers. An error that is not an ApiError is a bug: its details go to the log, not to the client. */
export function createErrorHandler(log: Logger): LocalErrorHandler {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express recognizes error handlers by their four parameters
  return (error: unknown, request, response, _next) => {
    if (passOnFailed(request, response, error)) return;
    const known = toApiError(error);
    const { requestId, events } = response.locals;
    if (known === undefined) log.error({ err: error, requestId }, 'request failed unexpectedly');
    else if (known.status >= 500) log.warn({ err: known, requestId }, 'request failed');
    if ((response.headersSent && !events) || response.destroyed) {
      response.destroy();
      return;
    }
    const answer =
      known ??
      new ApiError(
        'internal',
        `the service failed; its log has the details of request ${requestId}`,
      );
    response.locals.code = answer.code;
    const envelope = failure(answer.code, answer.message);
    if (known?.retryAfter !== undefined && !response.headersSent) {
      response.set('Retry-After', String(known.retryAfter));
    }
    if (events) void events.end(envelope);
    else response.status(answer.status).json(envelope);
  };
}

/** Errors of Express and its body parser carry an HTTP `status` and, from the parser, a `type`. */
function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof RpcError) {
    const text = `a node answered with an error: ${error.message}`;
    return new ApiError('upstreamLacksData', text, { cause: error });
  }
  if (!('status' in error)) return systemLimit(error);
  const { status } = error;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') {
    const limit = 'limit' in error ? ` of ${String(error.limit)} bytes` : '';
    return new ApiError('bodyTooLarge', `the body is larger than the limit${limit}`);
  }
  if (type === 'request.aborted') return new ApiError('cancelled', 'the request was cut off');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new ApiError('unsupportedMediaType', `the body cannot be read: ${error.message}`);
  }
  if (type !== undefined) {
    return new ApiError('malformedJson', `the body cannot be read: ${error.message}`);
  }
  if (error instanceof URIError) {
    return new ApiError('invalidField', 'the path has a malformed percent-encoding');
  }
  return typeof status === 'number' && status < 500
    ? new ApiError('invalidField', error.message)
    : undefined;
}
