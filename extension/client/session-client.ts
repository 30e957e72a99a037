import { createApiClient } from '../../server/api/client';
import { ApiError } from '../../server/api/errors';
import { ROUTES, type RouteData, type RouteId, type RouteRequest } from '../../server/api/routes';
import type { Service, ServiceConnection } from '../server-process/service';
import type { Session } from '../session';
import type { ApiCallOptions, ApiClient } from './api-client';

/** Calls the service of the settings with the user's key; starts the service and renews the key where that takes no user. */
export class SessionClient implements ApiClient {
  readonly #service: Service;
  readonly #session: Session;

  constructor(service: Service, session: Session) {
    this.#service = service;
    this.#session = session;
  }

  async call<Id extends RouteId>(
    id: Id,
    request: Partial<RouteRequest<Id>>,
    options: ApiCallOptions = {},
  ): Promise<RouteData<Id>> {
    const { signal } = options;
    try {
      const connection = await unlessAborted(this.#service.connect(), signal);
      const accessKey = await unlessAborted(this.#session.accessKey(connection), signal);
      try {
        return await send(connection, accessKey, id, request, options);
      } catch (error) {
        if (!(error instanceof ApiError && error.kind === 'keyUnknown')) throw error;
        const renewed = await unlessAborted(this.#session.renew(connection, accessKey), signal);
        if (renewed === undefined) throw error;
        return await send(connection, renewed, id, request, options);
      }
    } catch (error) {
      if (signal?.aborted === true) throw cancelled();
      if (error instanceof ApiError && error.kind === 'upstreamUnreachable') {
        await this.#service.check();
      }
      throw error;
    }
  }
}

async function send<Id extends RouteId>(
  { url }: ServiceConnection,
  accessKey: string,
  id: Id,
  request: Partial<RouteRequest<Id>>,
  options: ApiCallOptions,
): Promise<RouteData<Id>> {
  const client = createApiClient(() => Promise.resolve({ baseUrl: url, accessKey }));
  const answer = ROUTES[id].data.safeParse(await client.call(id, request, options));
  if (!answer.success) {
    throw new ApiError(
      'internal',
      `the service's answer to "${ROUTES[id].summary}" is not as agreed; its version may be another than the extension's`,
      { cause: answer.error },
    );
  }
  return answer.data as RouteData<Id>;
}

/** A start of the service goes on for others who wait for it; this caller need not wait. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(cancelled());
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

const cancelled = (): ApiError => new ApiError('cancelled', 'cancelled');
