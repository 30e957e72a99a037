import { Agent, request } from 'node:http';

/** The connections of a campaign. */
export const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface HttpAnswer {
  status: number;
  type: string;
  text: string;
}

const PATIENCE_MS = 60_000;

/**
 * Sends a request unchanged: no client normalizes its path, headers or body. Rejects if there is no answer in time. A connection that the
 * service closes for its idle time, while the request is on its way, is no finding: the request is sent again over a new one.
 */
export function sendHttp(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(origin, {
      method,
      path,
      agent,
      headers: { ...headers, ...length },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') {
        resolve(sendHttp(origin, method, path, { ...headers, Connection: 'close' }, body));
        return;
      }
      reject(new Error(`${method} ${path.slice(0, 200)} has no answer: ${error.message}`));
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const type = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, type, text });
      });
    });
    sent.end(body);
  });
}
