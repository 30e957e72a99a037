import * as z from 'zod';
import { ApiError, errorOfCode } from './errors';
import { readEvents } from './event-source';
import { progressSchema, type OnProgress } from './progress';
import { ROUTES, type RouteData, type RouteId, type RouteRequest } from './routes';

export interface ApiCallOptions {
  signal?: AbortSignal;
  /** Receives the progress of a long operation. */
  onProgress?: OnProgress;
}

/** A client of the service: one call per operation of the interface. */
export interface ApiClient {
  /** Rejects with `ApiError` of the answer's code, or `upstreamUnreachable` with a cause if the service does not answer. */
  call<Id extends RouteId>(
    id: Id,
    request: Partial<RouteRequest<Id>>,
    options?: ApiCallOptions,
  ): Promise<RouteData<Id>>;
}

/** A request of a client. */
export interface ApiRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}
/** The part of `Response` that a client uses. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
  readonly body: unknown;
}

const answerSchema = z.object({ code: z.int(), message: z.string(), data: z.unknown() });

/**
 * @param endpoint returns the base URL and access key for each call; `accessKey` undefined: sends none
 * @param exchange sends a request and returns the answer; rejects if there is none
 */
export function createApiClient(
  endpoint: () => Promise<{ baseUrl: string; accessKey: string | undefined }>,
  exchange: (url: URL, request: ApiRequest) => Promise<ApiResponse> = fetch,
): ApiClient {
  return {
    async call(id, request, options = {}) {
      const { baseUrl, accessKey } = await endpoint();
      const response = await send(
        exchange,
        new URL(baseUrl.replace(/\/$/, '') + pathOf(id, request)),
        {
          method: ROUTES[id].method.toUpperCase(),
          headers: {
            ...(options.onProgress === undefined ? {} : { Accept: 'text/event-stream' }),
            ...(accessKey === undefined ? {} : { 'Access-Key': accessKey }),
            ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        },
      );
      const body = await readAnswer(response, options);
      return readData(body, response) as RouteData<typeof id>;
    },
  };
}

function pathOf(id: RouteId, request: { params?: unknown; query?: unknown }): string {
  const params = (request.params ?? {}) as Record<string, string>;
  const path = ROUTES[id].paths[0].replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((request.query ?? {}) as Record<string, unknown>)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

async function send(
  exchange: (url: URL, request: ApiRequest) => Promise<ApiResponse>,
  url: URL,
  init: ApiRequest,
): Promise<ApiResponse> {
  try {
    return await exchange(url, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw new ApiError('cancelled', 'cancelled');
    throw new ApiError(
      'upstreamUnreachable',
      `the Forklens service at ${url.origin} does not answer`,
      {
        cause: error,
      },
    );
  }
}

async function readAnswer(
  response: ApiResponse,
  { onProgress, signal }: ApiCallOptions,
): Promise<unknown> {
  try {
    return response.headers.get('content-type')?.startsWith('text/event-stream') === true
      ? await readResult(response, onProgress)
      : await response.json();
  } catch (error) {
    if (signal?.aborted === true) throw new ApiError('cancelled', 'cancelled');
    throw noAnswer(response, error);
  }
}

/** Reads `progress` events up to the `result` event with the envelope; undefined if the stream ends before it. */
async function readResult(
  response: ApiResponse,
  onProgress: OnProgress | undefined,
): Promise<unknown> {
  for await (const { name, data } of readEvents(response)) {
    if (name === 'result') return data;
    if (name === 'progress') onProgress?.(progressSchema.parse(data));
  }
  return undefined;
}

/** Statuses of a proxy or load balancer that has no service to ask, or lost it. */
const PROXY_STATUSES = new Set([502, 503, 504]);

/** An answer that no service has sent. */
export class ProxyAnswerError extends Error {
  override readonly name = 'ProxyAnswerError';

  constructor(readonly status: number) {
    super(`HTTP ${status} from a proxy`);
  }
}

function noAnswer({ status }: ApiResponse, cause?: unknown): ApiError {
  if (PROXY_STATUSES.has(status)) {
    return new ApiError(
      'upstreamUnreachable',
      `no Forklens service answers behind the proxy (HTTP ${status})`,
      { cause: new ProxyAnswerError(status) },
    );
  }
  return new ApiError(
    'internal',
    `the answer (HTTP ${status}) is not of a Forklens service; check the URL`,
    { cause },
  );
}

function readData(body: unknown, response: ApiResponse): unknown {
  const answer = answerSchema.safeParse(body);
  if (!answer.success) throw noAnswer(response);
  const { code, message, data } = answer.data;
  if (code !== 0) throw errorOfCode(code, message);
  return data;
}
