import express, { type Application, type Request, type RequestHandler } from 'express';
import { success } from '../api/envelope';
import { ApiError, invalidField } from '../api/errors';
import { ROUTES, type Route, type RouteId, type RouteInput } from '../api/routes';
import { parseFields } from '../api/validation';
import type { AccessKeys, Caller } from '../projects/access-keys';
import type { Handlers, LocalHandler, LocalResponse } from './context';
import { EventStream } from './event-stream';
import { hasFields } from './schema';
import { sendJson } from './send-json';

/** Whatever the Content-Type says: the key header already tells our clients from a stray form. */
const jsonParser: RequestHandler = express.json({ limit: '1mb', strict: false, type: () => true });

/** Registers every operation of `ROUTES`, then notes the allowed methods of their paths for all other requests. */
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

/** For `answerUnrouted`: the path is known, whatever the method. */
export const noteMethods =
  (methods: readonly string[]): LocalHandler =>
  (_request, response, next) => {
    response.locals.allowedMethods = [...(response.locals.allowedMethods ?? []), ...methods];
    next();
  };

/** One operation: key and scope, then body and validation, then the handler, then the envelope: as JSON, or at the end of an event stream. */
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
  const input = {
    params: parseFields(params, request.params, 'path'),
    query: parseFields(query, request.query, 'query'),
    body: hasFields(body) ? parseFields(body, await readFields(request, response), 'body') : {},
  };
  return input as RouteInput<Id>;
}

/** Members of the JSON body. They may stand at its top level or inside `data`; an empty body has none. */
export async function readFields(
  request: Request,
  response: LocalResponse,
): Promise<Record<string, unknown>> {
  await new Promise<void>((resolve, reject) => {
    jsonParser(request, response, (error?: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
  const body: unknown = request.body ?? {};
  if (!isObject(body)) throw invalidField('body', body, 'a JSON object');
  const { data, ...fields } = body;
  // Of a simulation, `data` is a field.
  return isObject(data) ? { ...fields, ...data } : body;
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
