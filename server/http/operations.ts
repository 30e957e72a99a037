import express, { type Application, type Request, type RequestHandler } from 'express';
import { success } from '../api/envelope';
import { ApiError, invalidField, shown } from '../api/errors';
import { ROUTES, type Route, type RouteId, type RouteInput } from '../api/routes';
import { exactly, parseFields } from '../api/validation';
import { isTooDeep } from '../ethereum/json-depth';
import { LIMITS } from '../api/limits';
import type { AccessKeys, Caller } from '../projects/access-keys';
import type { Handlers, LocalHandler, LocalResponse } from './context';
import { EventStream } from './event-stream';
import { hasFields } from './schema';
import { sendJson } from './send-json';

/** Reads a body as text, so that its nesting can be checked before it is parsed. */
const textParser: RequestHandler = express.text({ limit: LIMITS.restBody, type: () => true });

/** Registers all operations of `ROUTES`. For other methods on their paths, records the allowed ones. */
export function registerOperations(app: Application, handlers: Handlers, keys: AccessKeys): void {
  const methodsOfPath = new Map<string, string[]>();
  for (const id of Object.keys(ROUTES) as RouteId[]) {
    const { method, paths } = ROUTES[id];
    const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    for (const path of paths) {
      app[method](path, operation<RouteId>(id, handlers[id], keys));
      methodsOfPath.set(path, [...(methodsOfPath.get(path) ?? []), ...methods]);
    }
  }
  for (const [path, methods] of methodsOfPath) app.all(path, noteMethods(methods));
}

/** For `answerUnrouted`: the path exists, but not with the request's method. */
export const noteMethods =
  (methods: readonly string[]): LocalHandler =>
  (_request, response, next) => {
    response.locals.allowedMethods = [...(response.locals.allowedMethods ?? []), ...methods];
    next();
  };

/**
 * One operation: checks the key and the scope, parses the body, validates it, calls the handler and sends the envelope, as JSON or as the
 * last event of a stream.
 */
function operation<Id extends RouteId>(
  id: Id,
  handler: Handlers[Id],
  keys: AccessKeys,
): LocalHandler {
  return async (request, response) => {
    response.locals.operation = id;
    const signal = signalOf(response);
    const caller = await authorize(request, keys, ROUTES[id].scope);
    const input = await readInput(id, request, response);
    const events = EventStream.open(request, response);
    if (events) response.locals.events = events;
    const data = await handler(input, {
      ...caller,
      signal,
      requestId: response.locals.requestId,
      onProgress: (progress) => events?.progress(progress),
    });
    if (events) await events.end(success(data));
    else if (!response.destroyed) await sendJson(response, success(data));
  };
}

/** @throws ApiError `keyMissing`, `keyUnknown`, `scopeMissing` */
export async function authorize(
  request: Pick<Request, 'get'>,
  keys: AccessKeys,
  scope: Route['scope'],
): Promise<Caller> {
  const caller = await keys.authenticate(request.get('Access-Key'));
  const { scopes } = caller.key;
  if (scope !== 'any' && !scopes.includes(scope)) {
    throw new ApiError(
      'scopeMissing',
      `the access key has the scope ${scopes.join(', ')}; this operation needs ${scope}`,
    );
  }
  return caller;
}

async function readInput<Id extends RouteId>(
  id: Id,
  request: Request,
  response: LocalResponse,
): Promise<RouteInput<Id>> {
  const { params, query, body }: Route = ROUTES[id];
  const fields = hasFields(body) || hasBody(request) ? await readFields(request, response) : {};
  const input = {
    params: parseFields(params, request.params, 'path'),
    query: parseFields(exactly(query), request.query, 'query'),
    body: parseFields(exactly(body), fields, 'body'),
  };
  return input as RouteInput<Id>;
}

/** RFC 9112 §6: a request has a body if one of these headers is present. */
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Members of the JSON body. They may be at its top level or inside `data`; an empty body has none.
 * @throws ApiError `unsupportedMediaType`, `malformedJson`, `invalidField`, and what the body parser throws
 */
export async function readFields(
  request: Request,
  response: LocalResponse,
): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  checkContentType(request);
  await new Promise<void>((resolve, reject) => {
    textParser(request, response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
  const body = parseBody(typeof request.body === 'string' ? request.body : '');
  if (!isObject(body)) throw invalidField('body', body, 'a JSON object');
  const { data, ...fields } = body;
  // In a simulation, `data` is a field.
  return isObject(data) ? { ...fields, ...data } : body;
}

/** RFC 8259 §11: JSON is UTF-8, whatever the `charset` parameter is. */
function checkContentType(request: Request): void {
  const header = request.get('Content-Type');
  const [type, ...parameters] = (header ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((one) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(one)?.[1])
    .find(Boolean);
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  if (type?.trim() === 'application/json' && isUtf8) return;
  throw new ApiError(
    'unsupportedMediaType',
    `the header Content-Type is ${shown(header)}; accepted for a body: application/json`,
  );
}

function parseBody(text: string): unknown {
  if (text.trim() === '') return {};
  if (isTooDeep(text)) {
    throw new ApiError(
      'invalidField',
      `the body is nested deeper than ${LIMITS.jsonDepth} levels; accepted: up to ${LIMITS.jsonDepth}`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError('malformedJson', `the body is not JSON: ${(error as Error).message}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function signalOf(response: LocalResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) {
      controller.abort(new ApiError('cancelled', 'the client closed the connection'));
    }
  });
  return controller.signal;
}
