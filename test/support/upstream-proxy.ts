import { setMaxListeners } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface ProxiedCall {
  jsonrpc: string;
  id: number | string | null;
  method: string;
  params?: unknown[];
}

/**
 * A fault in place of the node's answer to one HTTP request: the connection is cut before (`drop`) or in the middle of (`cut`) the answer,
 * no answer ever comes (`hang`), every call gets a JSON-RPC error, or the whole request gets an HTTP answer. Only with `lose` the node gets
 * the request: its answer is lost.
 */
export type Fault =
  | 'lose'
  | 'drop'
  | 'cut'
  | 'hang'
  | { error: { code: number; message: string } }
  | { status: number; headers?: Record<string, string>; body?: string };

/** Decides about one HTTP request; undefined: it is passed on. `count` is its number, from 1. */
export type FaultRule = (calls: readonly ProxiedCall[], count: number) => Fault | undefined;

/** HTTP 429, with a Retry-After header if seconds are given. */
export const tooManyRequests = (retryAfterSeconds?: number): Fault => ({
  status: 429,
  body: 'Too Many Requests',
  ...(retryAfterSeconds === undefined
    ? {}
    : { headers: { 'retry-after': String(retryAfterSeconds) } }),
});

/** The same in JSON-RPC (EIP-1474). */
export const limitExceeded: Fault = { error: { code: -32005, message: 'rate limit exceeded' } };

/** Plays a node without a debug API. */
export const withoutDebugApi: FaultRule = (calls) =>
  calls.some(({ method }) => method.startsWith('debug_'))
    ? { error: { code: -32601, message: 'the method does not exist' } }
    : undefined;

/**
 * A proxy for a node that plays a slow, failing or rate-limited endpoint. It counts requests and calls.
 *
 *     const proxy = await UpstreamProxy.start(node.url);
 *     proxy.latencyMs = 50;
 *     proxy.fault = (calls, count) => (count % 3 === 0 ? tooManyRequests(1) : undefined);
 *     proxy.count('eth_getStorageAt');
 */
export class UpstreamProxy {
  /** Delay of each answer, in milliseconds. */
  latencyMs = 0;
  fault: FaultRule | undefined;
  /** Changes the parsed body of the node's answer: one object or an array. */
  rewrite: ((answer: unknown, calls: readonly ProxiedCall[]) => unknown) | undefined;
  /** HTTP requests received, including those with faults. */
  requests = 0;
  /** Calls in the largest batch received. */
  largestBatch = 0;
  /** Largest number of concurrent HTTP requests. */
  peak = 0;
  /** Headers of the HTTP requests received. */
  headers: IncomingHttpHeaders[] = [];
  url = '';
  readonly #counts = new Map<string, number>();
  readonly #agent = new Agent();
  readonly #closing = new AbortController();
  readonly #server = createServer();
  #underWay = 0;

  /** @param target URL of the node, which may be replaced */
  private constructor(public target: string) {}

  static async start(target: string): Promise<UpstreamProxy> {
    const proxy = new UpstreamProxy(target);
    // Each request adds a listener, so many listeners are not a leak.
    setMaxListeners(0, proxy.#closing.signal);
    proxy.#server.on('request', (incoming, response) => {
      proxy.peak = Math.max(proxy.peak, ++proxy.#underWay);
      response.once('close', () => proxy.#underWay--);
      // The client or the node closed the connection, so there is no answer to send.
      proxy.#serve(incoming, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Number of received calls of a method, including those in batches; without a method, of all methods. */
  count(method?: string): number {
    if (method !== undefined) return this.#counts.get(method) ?? 0;
    return [...this.#counts.values()].reduce((sum, one) => sum + one, 0);
  }

  /** Number of calls by method. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort());
  }

  reset(): void {
    this.#counts.clear();
    this.requests = 0;
    this.headers = [];
    this.largestBatch = 0;
    this.peak = 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
    await this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const message = JSON.parse(body.toString()) as ProxiedCall | ProxiedCall[];
    const calls = Array.isArray(message) ? message : [message];
    this.requests++;
    this.headers.push(incoming.headers);
    this.largestBatch = Math.max(this.largestBatch, calls.length);
    for (const { method } of calls) this.#counts.set(method, this.count(method) + 1);
    const fault = this.fault?.(calls, this.requests);
    const { signal } = this.#closing;
    if (this.latencyMs > 0) await delay(this.latencyMs, undefined, { signal });
    if (fault !== undefined && fault !== 'lose') {
      fail(response, fault, message);
      return;
    }
    const answer = await request(this.target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      dispatcher: this.#agent,
      signal,
    });
    const text = await answer.body.text();
    if (fault === 'lose') {
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' });
    response.end(
      this.rewrite ? JSON.stringify(this.rewrite(JSON.parse(text) as unknown, calls)) : text,
    );
  }
}

function fail(
  response: ServerResponse,
  fault: Exclude<Fault, 'lose'>,
  message: ProxiedCall | readonly ProxiedCall[],
): void {
  if (fault === 'hang') return;
  if (fault === 'drop') {
    response.destroy();
  } else if (fault === 'cut') {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"jsonrpc":"2.0",', () => response.destroy());
  } else if ('error' in fault) {
    const refuse = ({ id }: ProxiedCall): object => ({ jsonrpc: '2.0', id, error: fault.error });
    const answer = 'length' in message ? message.map(refuse) : refuse(message);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } else {
    response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
  }
}

/** Used in `rewrite`: returns an answer with every object in it changed, at any depth. */
export function eachObject(
  value: unknown,
  change: (one: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, eachObject(one, change)]);
  return change(Object.fromEntries(members) as Record<string, unknown>);
}
