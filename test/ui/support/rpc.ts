import assert from 'node:assert/strict';

/** Asks a node. @throws AssertionError showing the error that it answered with */
export async function rpc<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  assert.equal(answer.error, undefined);
  return answer.result as T;
}
