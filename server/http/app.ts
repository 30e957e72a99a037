import express, { type Application } from 'express';
import type { Logger } from 'pino';
import { CHANGES_PATH } from '../api/changes';
import { Access } from './access';
import { Admission } from './admission';
import { createAdminHandler, type AdminCommandSet } from './admin';
import type { ChangeStreams } from './change-stream';
import type { LocalResponse } from './context';
import { answerUnrouted, createErrorHandler } from './error-handler';
import { createHandlers, type HandlerDependencies } from './handlers';
import { createOpenApiDocument } from './openapi';
import { noteMethods, registerOperations } from './operations';
import { registerProbes, type Probes } from './probes';
import { createRateLimit } from './rate-limit';
import { createRequestLog } from './request-log';

export interface AppDependencies extends HandlerDependencies, Probes {
  admin: AdminCommandSet;
  /** Commands of programs on this machine, besides those of an administrator. */
  local: readonly AdminCommandSet[];
  changes: ChangeStreams;
  adminToken: string;
  /** undefined: no limit */
  requestsPerMinute: number | undefined;
  log: Logger;
}

/** The Express application: all answers of the service except fork RPC. */
export function createApp(dependencies: AppDependencies): Application {
  const { health, log, requestsPerMinute } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // every answer is new: a tag would cost a hash of each and save nothing
  app.use(createRequestLog(log));
  app.use((request, response, next) => {
    // `If-None-Match: *` matches anything: Express would answer 304 without the envelope.
    delete request.headers['if-none-match'];
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  registerProbes(app, dependencies);
  let document: ReturnType<typeof createOpenApiDocument> | undefined;
  app.get('/openapi.json', (_request, response: LocalResponse) => {
    response.locals.operation = 'openapi';
    response.json((document ??= createOpenApiDocument(health.version)));
  });
  const { admin, local, adminToken } = dependencies;
  if (requestsPerMinute !== undefined) {
    for (const path of ['/v1', '/admin']) app.use(path, createRateLimit(requestsPerMinute));
  }
  app.post('/admin/:command', createAdminHandler([admin, ...local], adminToken));
  registerOperations(app, createHandlers(dependencies), {
    keys: dependencies.keys,
    access: new Access(dependencies),
    admission: new Admission(dependencies.quotas),
    audit: dependencies.audit,
  });
  app.get(CHANGES_PATH, dependencies.changes.handle);
  app.all(CHANGES_PATH, noteMethods(['GET']));
  app.use(answerUnrouted);
  app.use(createErrorHandler(log));
  return app;
}
