import type { Application, Request } from 'express';
import { ApiError, shown } from '../api/errors';
import type { Readiness } from '../api/probes';
import type { Health } from '../api/routes';
import { clientAddress, isLoopback } from '../kernel/streams/client-address';
import { hasBearerToken } from './bearer-token';
import type { LocalHandler, LocalResponse } from './context';
import { noteMethods } from './operations';

/** What machines ask about the service, without an access key. */
export interface Probes {
  health: Health;
  readiness: () => Promise<Readiness>;
  metrics: { contentType: string; text: () => Promise<string> };
  /** Undefined: only programs on this machine may read the metrics. */
  metricsToken: string | undefined;
}

/** Registers the routes of monitoring systems and load balancers. They need no access key. */
export function registerProbes(app: Application, probes: Probes): void {
  const { health, readiness, metrics, metricsToken } = probes;
  const routes: Record<string, LocalHandler> = {
    '/health': (_request, response) => {
      response.locals.operation = 'health';
      response.json(health);
    },
    '/health/live': (_request, response) => {
      response.locals.operation = 'liveness';
      response.json({ status: 'live' });
    },
    '/health/ready': async (_request, response) => {
      response.locals.operation = 'readiness';
      const answer = await readiness();
      response.status(answer.status === 'ready' ? 200 : 503).json(answer);
    },
    '/metrics': async (request, response: LocalResponse) => {
      if (!mayReadMetrics(request, metricsToken)) {
        throw new ApiError('routeNotFound', `there is no route ${shown(request.path)}`);
      }
      response.locals.operation = 'metrics';
      const text = await metrics.text();
      response.set('Content-Type', metrics.contentType).send(text);
    },
  };
  for (const [path, handler] of Object.entries(routes)) {
    app.get(path, handler);
    app.all(path, noteMethods(['GET', 'HEAD']));
  }
}

/** A proxy on this machine that is not configured as trusted connects from a loopback address too. Its requests name their client. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

function mayReadMetrics(
  request: Pick<Request, 'get'> & Parameters<typeof clientAddress>[0],
  token: string | undefined,
): boolean {
  if (token !== undefined) return hasBearerToken(request, token);
  return (
    isLoopback(clientAddress(request) ?? '') &&
    FORWARDING.every((name) => request.headers[name] === undefined)
  );
}
