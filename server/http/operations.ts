import type { Application, Request } from 'express';
import { success } from '../api/envelope';
import { ApiError } from '../api/errors';
import type { Progress } from '../api/progress';
import { ROUTES, type Route, type RouteId, type RouteInput } from '../api/routes';
import { exactly, parseFields } from '../api/validation';
import { requireScopes, type AccessKeys, type Caller } from '../projects/access-keys';
import type { AuditLog } from '../projects/audit-log';
import type { Access } from './access';
import type { Admission } from './admission';
import type { Handlers, LocalHandler, LocalResponse } from './context';
import { audited } from './audited';
import { EventStream } from './event-stream';
import { hasBody, readFields } from './request-body';
import { hasFields } from './schema';
import { sendJson } from './send-json';

/** What decides whether a caller may do an operation. */
export interface OperationChecks {
  keys: AccessKeys;
  access: Access;
  admission: Admission;
  audit: AuditLog;
}

/** Registers all operations of `ROUTES`. For other methods on their paths, records the allowed ones. */
export function registerOperations(
  app: Application,
  handlers: Handlers,
  checks: OperationChecks,
): void {
  const methodsOfPath = new Map<string, string[]>();
  for (const id of Object.keys(ROUTES) as RouteId[]) {
    const { method, paths } = ROUTES[id];
    const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
    for (const path of paths) {
      app[method](path, operation<RouteId>(id, handlers[id], checks));
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
 * One operation: checks the key and the scope, parses the body, validates it, checks the role of the caller and the quotas, calls the handler and sends the envelope, as JSON or as the
 * last event of a stream.
 */
function operation<Id extends RouteId>(
  id: Id,
  handler: Handlers[Id],
  { keys, access, admission, audit }: OperationChecks,
): LocalHandler {
  return async (request, response) => {
    response.locals.operation = id;
    const signal = signalOf(response);
    const caller = await authorize(request, keys, ROUTES[id].scope);
    const input = await readInput(id, request, response);
    const { requestId } = response.locals;
    const what = { id, input, caller, request, requestId };
    const data = await audited(audit, what, async () => {
      const project = await access.check(id, input, caller.user.userId);
      const release = await admission.begin(id, caller.user.userId, project);
      const events = EventStream.open(request, response);
      if (events) response.locals.events = events;
      const context = {
        ...caller,
        access: project,
        signal,
        requestId,
        onProgress: (progress: Progress) => events?.progress(progress),
      };
      try {
        return await handler(input, context);
      } finally {
        void release();
      }
    });
    const { events } = response.locals;
    if (events) await events.end(success(data));
    else if (!response.destroyed) await sendJson(response, success(data));
  };
}

/** @throws ApiError `keyMissing`, `keyUnknown`, `keyExpired`, `scopeMissing` */
export async function authorize(
  request: Pick<Request, 'get'>,
  keys: AccessKeys,
  scope: Route['scope'],
): Promise<Caller> {
  const caller = await keys.authenticate(request.get('Access-Key'));
  if (scope !== 'any') requireScopes(caller.key, [scope]);
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

function signalOf(response: LocalResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) {
      controller.abort(new ApiError('cancelled', 'the client closed the connection'));
    }
  });
  return controller.signal;
}
