import type { RouteData, RouteId, RouteRequest } from '../../server/api/routes';

export interface ApiCallOptions {
  signal?: AbortSignal;
}

/** The service as the extension sees it: one call per operation of the interface. */
export interface ApiClient {
  /** Rejects with `ApiError` of the answered code, or `upstreamUnreachable` where the service does not answer. */
  call<Id extends RouteId>(
    id: Id,
    request: Partial<RouteRequest<Id>>,
    options?: ApiCallOptions,
  ): Promise<RouteData<Id>>;
}
