import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { ApiRequest, ApiResponse } from '../../api/client';

/**
 * `fetch` for a command: Node's own takes longer to load than most commands run. Does not follow redirects.
 * @throws Error with the system's code if there is no answer; the reason of `signal`
 */
export function httpFetch(url: URL, init: ApiRequest): Promise<ApiResponse> {
  const { method, headers, body, signal } = init;
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    headers:
      body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
    ...(signal === undefined ? {} : { signal }),
  });
  return new Promise((resolve, reject) => {
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The service closed a kept-alive connection before it received the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(httpFetch(url, init));
      else reject(error);
    });
    request.once('response', (response) => {
      resolve(responseOf(response));
    });
    request.end(body);
  });
}

const responseOf = (message: IncomingMessage): ApiResponse => ({
  status: message.statusCode ?? 0,
  headers: { get: (name) => valueOf(message.headers[name.toLowerCase()]) },
  json: async () => JSON.parse(await text(message)) as unknown,
  get body() {
    return Readable.toWeb(message);
  },
});

const valueOf = (header: string | string[] | undefined): string | null =>
  (typeof header === 'string' ? header : header?.join(', ')) ?? null;
