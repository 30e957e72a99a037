import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { ClientSuite, fails, ok } from './http-client-support';
import { each } from './http-node';

const HASH = `0x${'ab'.repeat(32)}`;
const LOOKUPS = [
  ['eth_getTransactionByHash', [HASH]],
  ['eth_getTransactionReceipt', [HASH]],
  ['eth_getBlockByHash', [HASH, false]],
  ['eth_getBlockByNumber', ['0x10', false]],
  ['eth_getBlockReceipts', ['0x10']],
  ['eth_getRawTransactionByHash', [HASH]],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x10', '0x0']],
  ['trace_block', ['0x10']],
] as const;

describe('an answer that another endpoint of the chain betters', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());
  const node = suite.node.bind(suite);
  const client = suite.client.bind(suite);
  const answering = (result: unknown) => node((message) => each(message, () => ({ result })));

  for (const [method, params] of LOOKUPS) {
    it(`${method}: null is asked of the next one`, async () => {
      const [first, second] = [await answering(null), await answering({ number: '0x10' })];
      const rpc = client([first.url, second.url]);
      assert.deepEqual(await rpc.request(method, params), { number: '0x10' });
      assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
    });
  }

  it('is null if all say so, each asked once', async () => {
    const nodes = [await answering(null), await answering(null), await answering(null)];
    const rpc = client(nodes.map(({ url }) => url));
    assert.equal(await rpc.request('eth_getTransactionByHash', [HASH]), null);
    assert.deepEqual(
      nodes.map(({ requests }) => requests.length),
      [1, 1, 1],
    );
  });

  it('is null without retries if the others do not answer', async () => {
    const first = await answering(null);
    const second = await node(() => ({ status: 502, body: '' }));
    const rpc = client([first.url, second.url]);
    for (let i = 0; i < 3; i++) {
      assert.equal(await rpc.request('eth_getTransactionReceipt', [HASH]), null);
    }
    assert.deepEqual([first.requests.length, second.requests.length], [3, 1]);
  });

  it('asks the next one only for the calls of a batch that need it', async () => {
    const first = await node((message) =>
      each(message, ({ params }) => ({ result: params[0] === 'b' ? null : params[0] })),
    );
    const second = await node(ok);
    const outcomes = await client([first.url, second.url]).requestAll(
      ['a', 'b', 'c'].map((name) => ({ method: 'eth_getBlockByHash', params: [name] })),
    );
    assert.deepEqual(
      outcomes.map((one) => one.status === 'fulfilled' && one.value),
      ['a', 'b', 'c'],
    );
    const asked = second.requests.map((one) => (Array.isArray(one) ? one.length : one.params));
    assert.deepEqual(asked, [['b']]);
  });

  it('is a pending transaction that another node knows in a block', async () => {
    const pending = { hash: HASH, blockNumber: null };
    const mined = { hash: HASH, blockNumber: '0x10' };
    const [first, second] = [await answering(pending), await answering(mined)];
    const ask = (...urls: string[]) => client(urls).request('eth_getTransactionByHash', [HASH]);
    assert.deepEqual(await ask(first.url, second.url), mined);
    assert.deepEqual(await ask(first.url, (await answering(null)).url), pending);
    assert.deepEqual(await ask((await answering(null)).url, first.url), pending);
  });

  it('is the newest block of the node that is ahead, whichever is asked first', async () => {
    const [low, high] = [await answering('0x10'), await answering('0x20')];
    assert.equal(await client([low.url, high.url]).request('eth_blockNumber', []), '0x20');
    assert.equal(await client([high.url, low.url]).request('eth_blockNumber', []), '0x20');
    for (const tag of ['latest', 'safe', 'finalized']) {
      const blocks = await Promise.all(
        ['0x10', '0x20'].map((number) => answering({ number, hash: HASH })),
      );
      const rpc = client(blocks.map(({ url }) => url));
      const block = await rpc.request('eth_getBlockByNumber', [tag, false]);
      assert.deepEqual(block, { number: '0x20', hash: HASH });
    }
  });

  it('does not depend on nodes that fail to report their newest block', async () => {
    const hanging = await node(() => undefined);
    const high = await answering('0x20');
    const rpc = client([hanging.url, high.url]);
    assert.equal(await rpc.request('eth_blockNumber', []), '0x20');
    assert.equal(await rpc.request('eth_blockNumber', []), '0x20');
    assert.equal(hanging.requests.length, 1, 'it rests after its failure');
  });

  it('is of a node that lags behind, which is asked last until it has caught up', async () => {
    let now = 1_000_000;
    let head = '0x10';
    const late = await node((message) =>
      each(message, ({ method }) => ({ result: method === 'eth_blockNumber' ? head : 'late' })),
    );
    const good = await node((message) =>
      each(message, ({ method }) => ({ result: method === 'eth_blockNumber' ? '0x20' : 'good' })),
    );
    const rpc = client([late.url, good.url], { now: () => now });
    const ask = async () => {
      await rpc.request('eth_blockNumber', []);
      return rpc.request('eth_call', [{}, 'latest']);
    };
    assert.equal(await ask(), 'late', 'the other node has just made its block');
    now += 12_000;
    assert.equal(await ask(), 'good');
    head = '0x20';
    assert.equal(await ask(), 'late');
  });

  it('are the logs of a node that does not have the last block of the range', async () => {
    const of = (head: string, logs: unknown) =>
      node((message) =>
        each(message, ({ method }) => ({ result: method === 'eth_blockNumber' ? head : logs })),
      );
    const late = await of('0x10', []);
    const good = await of('0x30', ['log']);
    const rpc = client([late.url, good.url]);
    const logs = (toBlock: string) => rpc.request('eth_getLogs', [{ fromBlock: '0x1', toBlock }]);
    assert.deepEqual(await logs('0x20'), ['log']);
    assert.deepEqual(await logs('0x10'), [], 'the node has this block');
    assert.deepEqual(await logs('0x40'), [], 'no node has this block');
  });
});

describe('an error of one endpoint', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());
  const node = suite.node.bind(suite);
  const client = suite.client.bind(suite);
  const failing = (code: number, message: string) =>
    node((request) => each(request, () => ({ error: { code, message } })));

  for (const [code, message] of [
    [-32011, 'no backend is currently healthy to serve traffic'],
    [-32603, 'request failed or timed out'],
    [-32603, 'Internal error'],
    [15, 'Too many request, try again later'],
    [-32000, 'API key is not allowed'],
    [-32000, 'header not found'],
    [-32000, 'height 6 is not available, lowest height is 64'],
    [-32601, 'Method not found'],
    [-32001, 'block not found'],
    [-32603, 'something that nobody has seen before'],
  ] as const) {
    it(`${code} ${message}: another one answers`, async () => {
      const [first, second] = [await failing(code, message), await node(ok)];
      const rpc = client([first.url, second.url]);
      assert.equal(await rpc.request('eth_call', ['0x7', '0x6']), '0x7');
      assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
    });
  }

  for (const [code, message] of [
    [3, 'execution reverted: no backend is currently healthy'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
  ] as const) {
    it(`${code} ${message}: all would say the same`, async () => {
      const [first, second] = [await failing(code, message), await node(ok)];
      const rpc = client([first.url, second.url]);
      await assert.rejects(rpc.request('eth_call', ['0x7']), { name: 'RpcError', code, message });
      assert.deepEqual([first.requests.length, second.requests.length], [1, 0]);
    });
  }

  it('that is transient is retried where there is no other', async () => {
    const only = await node((message, count) =>
      count === 1
        ? each(message, () => ({ error: { code: -32011, message: 'no backend is healthy' } }))
        : ok(message),
    );
    assert.equal(await client([only.url]).request('echo', [5]), 5);
  });

  it('that is unknown keeps its code and its words where there is no other answer', async () => {
    const message = 'something that nobody has seen before';
    const [first, second] = [await failing(-39123, message), await failing(-39124, 'else')];
    await assert.rejects(client([first.url, second.url]).request('eth_call', []), (error) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.message], [-39123, message]);
      return true;
    });
    assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
  });

  for (const [status, body] of [
    [401, { error: 'invalid project id' }],
    [403, { message: 'invalid project id' }],
    [401, 'invalid project id'],
    [500, { error: { message: 'invalid project id' } }],
    [400, { errors: [{ message: 'invalid project id' }] }],
    [200, { error: 'invalid project id' }],
    [403, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid project id' } }],
  ] as const) {
    it(`HTTP ${status} ${JSON.stringify(body)}: the message is shown, another one answers`, async () => {
      const refusing = await node(() => ({ status, body }));
      const second = await node(ok);
      const rpc = client([refusing.url, second.url]);
      assert.equal(await rpc.request('echo', [7]), 7);
      assert.equal(await rpc.request('echo', [8]), 8);
      assert.deepEqual([refusing.requests.length, second.requests.length], [1, 2]);
      await assert.rejects(
        client([refusing.url]).request('eth_call', []),
        fails(
          'upstreamUnreachable',
          /refuses eth_call: .*invalid project id.*; check its key and its plan$/,
        ),
      );
      const [one, two] = await client([refusing.url]).requestAll([
        { method: 'a', params: [] },
        { method: 'b', params: [] },
      ]);
      assert.deepEqual([one?.status, two?.status], ['rejected', 'rejected']);
      assert.equal(refusing.requests.length, 3, 'a batch is not divided');
    });
  }

  it('of a page of a gateway shows the status alone', async () => {
    const page = await node(() => ({ status: 502, body: '<html>nginx</html>' }));
    await assert.rejects(
      client([page.url], { rounds: 1 }).request('m', []),
      fails('upstreamUnreachable', /^no RPC endpoint of chain test answers \(HTTP 502\)$/),
    );
  });
});
