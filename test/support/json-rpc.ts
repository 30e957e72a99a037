import assert from 'node:assert/strict';

/** A response of JSON-RPC 2.0 (§5). */
export interface RpcReply {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Sends one JSON-RPC request over HTTP, as any client does. */
export async function reply(url: string, method: string, ...params: unknown[]): Promise<RpcReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await post(url, body)) as RpcReply;
}

export async function post(url: string, body: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.json();
}

/** Returns the result. An error fails the test. */
export async function call<T = string>(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<T> {
  const { result, error } = await reply(url, method, ...params);
  assert.equal(error, undefined, `${method}: ${error?.message ?? ''}`);
  return result as T;
}

/** Returns the error. A result fails the test. */
export async function refusal(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<{ code: number; message: string; data?: unknown }> {
  const { result, error } = await reply(url, method, ...params);
  assert.ok(error, `${method} answered ${JSON.stringify(result)}`);
  return error;
}
