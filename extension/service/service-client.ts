import * as l10n from '@vscode/l10n';
import { createApiClient } from '../../server/api/client';
import { ApiError } from '../../server/api/errors';
import { isKeyRefusal } from '../model/errors';
import { retryLostNode } from '../../server/client/retry-lost-node';
import { ROUTES, type RouteData, type RouteId, type RouteRequest } from '../../server/api/routes';
import type { Access, AccessProvider } from '../model/access';
import type { ApiCallOptions, ApiClient } from '../model/api-client';

/** Calls the service with the user's key, repeats requests of lost nodes, renews a refused key once, and validates every response. */
export class ServiceClient implements ApiClient {
  readonly #provider: AccessProvider;

  constructor(provider: AccessProvider) {
    this.#provider = provider;
  }

  async call<Id extends RouteId>(
    id: Id,
    request: Partial<RouteRequest<Id>>,
    options: ApiCallOptions = {},
  ): Promise<RouteData<Id>> {
    const { signal } = options;
    try {
      let access = await unlessAborted(this.#provider.access(), signal);
      try {
        return await retryLostNode(
          async () => {
            // A service that was started again has another address.
            access = await unlessAborted(this.#provider.access(), signal);
            return send(access, id, request, options);
          },
          { isRead: ROUTES[id].method === 'get', signal },
        );
      } catch (error) {
        if (!isKeyRefusal(error)) throw error;
        const renewed = await unlessAborted(this.#provider.renew(access), signal);
        if (renewed === undefined) throw error;
        return await send(renewed, id, request, options);
      }
    } catch (error) {
      if (signal?.aborted === true) throw cancelled();
      if (error instanceof ApiError && error.kind === 'upstreamUnreachable') {
        await this.#provider.checkService();
      }
      throw error;
    }
  }
}

async function send<Id extends RouteId>(
  access: Access,
  id: Id,
  request: Partial<RouteRequest<Id>>,
  options: ApiCallOptions,
): Promise<RouteData<Id>> {
  const client = createApiClient(() => Promise.resolve(access));
  const answer = ROUTES[id].data.safeParse(await client.call(id, request, options));
  if (!answer.success) {
    throw new ApiError(
      'internal',
      l10n.t(
        'the service\'s answer to "{0}" does not match the interface; its version may differ from that of the extension\'s',
        ROUTES[id].summary,
      ),
      { cause: answer.error },
    );
  }
  return answer.data as RouteData<Id>;
}

/** Other callers may still wait for the service to start, so an abort ends only this caller's wait. */
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
