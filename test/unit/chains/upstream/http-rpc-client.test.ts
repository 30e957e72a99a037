import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { ClientSuite, fails, ok } from './http-client-support';
import { each } from './http-node';

describe('HttpRpcClient', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());
  const node = suite.node.bind(suite);
  const client = suite.client.bind(suite);

  it('sends many calls in chunks and returns the answers in order', async () => {
    const upstream = await node(ok);
    const calls = [1, 2, 3, 4, 5].map((i) => ({ method: 'echo', params: [i] }));
    const outcomes = await client([upstream.url], { maxBatch: 2 }).requestAll(calls);
    assert.deepEqual(
      outcomes,
      [1, 2, 3, 4, 5].map((value) => ({ status: 'fulfilled', value })),
    );
    assert.deepEqual(
      upstream.requests.map((one) => (Array.isArray(one) ? one.length : 0)).sort(),
      [0, 2, 2],
    );
    assert.deepEqual(await client([upstream.url]).requestAll([]), []);
  });

  it("returns the node's errors unchanged, except for addresses in them", async () => {
    const upstream = await node((message) =>
      each(message, () => ({
        error: { code: 3, message: 'execution reverted at https://x.example/5ecr3t', data: '0x01' },
      })),
    );
    await assert.rejects(client([upstream.url]).request('eth_call', []), (error: unknown) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual(
        [error.code, error.message, error.data],
        [3, 'execution reverted at <endpoint>', '0x01'],
      );
      return true;
    });
    assert.equal(upstream.requests.length, 1);
  });

  it('accepts a JSON-RPC error with HTTP status 400 or 500 as an answer', async () => {
    for (const status of [400, 500]) {
      const upstream = await node(() => ({
        status,
        body: { jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'no' } },
      }));
      await assert.rejects(client([upstream.url]).request('m', []), RpcError);
      assert.equal(upstream.requests.length, 1);
    }
  });

  it('moves on to the next endpoint, and stays there', async () => {
    const broken = await node(() => ({ status: 502, body: 'bad gateway' }));
    const upstream = await node(ok);
    const rpc = client(['http://127.0.0.1:1/5ecr3t', broken.url, upstream.url]);
    assert.equal(await rpc.request('echo', [1]), 1);
    assert.equal(await rpc.request('echo', [2]), 2);
    assert.deepEqual([broken.requests.length, upstream.requests.length], [1, 2]);
  });

  it('retries transient failures, and names the last one when it fails', async () => {
    const limited = await node((message, count) =>
      count < 3
        ? each(message, () => ({ error: { code: -32005, message: 'rate limit' } }))
        : ok(message),
    );
    assert.equal(await client([limited.url]).request('echo', [7]), 7);
    assert.equal(limited.requests.length, 3);
    const down = await node(() => ({ status: 503, body: '' }));
    await assert.rejects(
      client([down.url]).request('m', []),
      fails('upstreamUnreachable', /^no RPC endpoint of chain test answers \(HTTP 503\)$/),
    );
    assert.equal(down.requests.length, 3);
    await assert.rejects(
      client(['http://127.0.0.1:1/5ecr3t']).request('m', []),
      fails('upstreamUnreachable', /\(ECONNREFUSED\)$/),
    );
  });

  it('retries only the calls of a batch without an answer', async () => {
    const upstream = await node((message, count) =>
      each(message, ({ params }) =>
        count === 1 && params[0] === 2
          ? { error: { code: 429, message: 'slow down' } }
          : { result: params[0] },
      ),
    );
    const outcomes = await client([upstream.url]).requestAll(
      [1, 2].map((i) => ({ method: 'echo', params: [i] })),
    );
    assert.deepEqual(
      outcomes.map((one) => one.status === 'fulfilled' && one.value),
      [1, 2],
    );
    assert.deepEqual(
      upstream.requests.map((one) => (Array.isArray(one) ? one.length : 1)),
      [2, 1],
    );
  });

  it('does not retry a range that is too large', async () => {
    const upstream = await node((message) =>
      each(message, () => ({
        error: { code: -32005, message: 'query returned more than 10000 results' },
      })),
    );
    await assert.rejects(client([upstream.url]).request('eth_getLogs', []), RpcError);
    assert.equal(upstream.requests.length, 1);
  });

  it('waits as long as Retry-After requests', async () => {
    let first = 0;
    let waited = 0;
    const upstream = await node((message, count) => {
      if (count === 1) {
        first = performance.now();
        return { status: 429, headers: { 'retry-after': '1' }, body: '' };
      }
      waited = performance.now() - first;
      return ok(message);
    });
    assert.equal(await client([upstream.url]).request('echo', [1]), 1);
    assert.ok(waited >= 950, `waited ${waited} ms`);
  });

  it('falls back to single calls if batches are refused', async () => {
    const upstream = await node((message) =>
      Array.isArray(message)
        ? { body: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } } }
        : ok(message),
    );
    const rpc = client([upstream.url]);
    const calls = [1, 2].map((i) => ({ method: 'echo', params: [i] }));
    for (let round = 0; round < 2; round++) {
      const outcomes = await rpc.requestAll(calls);
      assert.deepEqual(
        outcomes.map((one) => one.status === 'fulfilled' && one.value),
        [1, 2],
      );
    }
    assert.equal(upstream.requests.filter(Array.isArray).length, 1);
  });

  it('ends at the deadline, and when the caller cancels', async () => {
    const silent = await node(() => undefined);
    await assert.rejects(
      client([silent.url]).request('eth_slow', [], { timeoutMs: 50 }),
      fails('timedOut', /^chain test did not answer eth_slow within 0\.05 s$/),
    );
    const cancel = new AbortController();
    const pending = client([silent.url]).request('m', [], { signal: cancel.signal });
    cancel.abort();
    await assert.rejects(pending, fails('cancelled', /cancelled/));
  });

  it('leaves time for the next endpoint when one hangs', async () => {
    const silent = await node(() => undefined);
    const upstream = await node(ok);
    assert.equal(
      await client([silent.url, upstream.url], { timeoutMs: 2_000 }).request('echo', [1]),
      1,
    );
  });

  it('names the block whose state an endpoint lacks', async () => {
    for (const message of [
      'missing trie node 5d (path )',
      'header not found',
      'required historical state unavailable (reexec=128)',
      'state 0x1 is not available',
    ]) {
      const upstream = await node((request) =>
        each(request, () => ({ error: { code: -32000, message } })),
      );
      await assert.rejects(
        client([upstream.url]).request('eth_getBalance', [`0x${'11'.repeat(20)}`, '0x10']),
        fails(
          'upstreamLacksData',
          /^the RPC endpoint of chain test lacks the state of block 16 \(eth_getBalance\); an archive node is needed$/,
        ),
      );
    }
  });

  it('sends the credentials of a URL', async () => {
    const upstream = await node(ok);
    await client([upstream.url.replace('//', '//user:p%40ss@')]).request('echo', [1]);
    assert.equal(
      upstream.headers[0]?.authorization,
      `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    );
  });
});
