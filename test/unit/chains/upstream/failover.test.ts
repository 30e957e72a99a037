import assert from 'node:assert/strict';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { ClientSuite, fails, ok } from './http-client-support';
import { each } from './http-node';

const echoes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ method: 'echo', params: [i] }));
const sizes = (requests: readonly unknown[]) =>
  requests.map((one) => (Array.isArray(one) ? one.length : 1));
const getBalance = ['eth_getBalance', [`0x${'11'.repeat(20)}`, '0x10']] as const;

describe('several endpoints of one chain', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());
  const node = suite.node.bind(suite);
  const client = suite.client.bind(suite);

  it('are used in their order, and the first one is used again after it has recovered', async () => {
    let now = 1_000_000;
    let broken = true;
    const first = await node((message) => (broken ? { status: 502, body: '' } : ok(message)));
    const second = await node(ok);
    const rpc = client([first.url, second.url], { now: () => now });
    const asked = async (): Promise<string> => {
      const before = [first.requests.length, second.requests.length];
      await rpc.request('echo', [1]);
      return `${first.requests.length - before[0]!},${second.requests.length - before[1]!}`;
    };
    assert.equal(await asked(), '1,1');
    assert.equal(await asked(), '0,1', 'the endpoint is paused');
    now += 10_000;
    assert.equal(await asked(), '1,1', 'the endpoint is tried again and fails again');
    now += 10_000;
    assert.equal(await asked(), '0,1', 'the endpoint is paused for longer');
    now += 10_000;
    broken = false;
    assert.equal(await asked(), '1,0');
    assert.equal(await asked(), '1,0');
  });

  it('replace an endpoint that lacks a method or state, which is remembered', async () => {
    const full = await node((message) =>
      each(message, ({ method }) => ({
        error:
          method === 'debug_traceTransaction'
            ? { code: -32601, message: 'the method debug_traceTransaction does not exist' }
            : { code: -32000, message: 'missing trie node 5d (path )' },
      })),
    );
    const archive = await node((message) => each(message, () => ({ result: '0x7' })));
    const rpc = client([full.url, archive.url]);
    for (let round = 0; round < 2; round++) {
      assert.equal(await rpc.request(...getBalance), '0x7');
      assert.equal(await rpc.request('debug_traceTransaction', ['0x1']), '0x7');
    }
    assert.deepEqual([full.requests.length, archive.requests.length], [2, 4]);
    await rpc.request('eth_getBalance', ['0x1', '0x11']).then(() => 0);
    assert.equal(full.requests.length, 3, 'a later block may exist');
  });

  it('are not asked again for a while if none of them offers a method', async () => {
    let now = 1_000_000;
    const missing = { code: -32601, message: 'the method does not exist' };
    const [first, second] = await Promise.all(
      [1, 2].map(() => node((message) => each(message, () => ({ error: missing })))),
    );
    const rpc = client([first!.url, second!.url], { now: () => now });
    const ask = (method: string) => assert.rejects(rpc.request(method, ['0x1']), missing);
    const asked = () => [first!.requests.length, second!.requests.length];
    await ask('trace_block');
    await ask('trace_block');
    assert.deepEqual(asked(), [1, 1]);
    now += 600_000;
    await ask('trace_block');
    assert.deepEqual(asked(), [2, 2]);
    // For a method that every node has, the error concerns one call only.
    await ask('eth_call');
    await ask('eth_call');
    assert.deepEqual(asked(), [4, 4]);
    // A node that is a fork itself may pass the call on for older blocks.
    await ask('eth_simulateV1');
    await ask('eth_simulateV1');
    assert.deepEqual(asked(), [6, 6]);
  });

  it("are each asked once if all lack a block's state, and the error names it", async () => {
    const nodes = await Promise.all(
      [1, 2].map(() =>
        node((message) =>
          each(message, () => ({ error: { code: -32000, message: 'state is pruned' } })),
        ),
      ),
    );
    const rpc = client(nodes.map(({ url }) => url));
    const lacksState = fails('upstreamLacksData', /lacks the state of block 16 \(eth_getBalance\)/);
    await assert.rejects(rpc.request(...getBalance), lacksState);
    await assert.rejects(rpc.request(...getBalance), lacksState);
    assert.deepEqual(sizes(nodes.flatMap(({ requests }) => requests)), [1, 1, 1, 1]);
  });

  it('are not used if they serve another chain', async () => {
    const other = await node((message) => each(message, () => ({ result: '0x5' })));
    const right = await node((message) =>
      each(message, ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : 'right' })),
    );
    const rpc = client([other.url, right.url], { chainId: 1 });
    assert.equal(await rpc.request('m', []), 'right');
    assert.equal(await rpc.request('m', []), 'right');
    assert.equal(other.requests.length, 1, 'only its chain id was requested');
    await assert.rejects(
      client([other.url], { chainId: 1 }).request('m', []),
      fails(
        'upstreamUnreachable',
        /^an RPC endpoint of chain test answers for chain id 5 instead of 1; correct its rpcUrls or its chainId in the config file$/,
      ),
    );
  });

  it('are tried once by each call if all have been down for long', async () => {
    let now = 1_000_000;
    let broken = true;
    const upstream = await node((message) => (broken ? { status: 502, body: '' } : ok(message)));
    const rpc = client([upstream.url], { now: () => now, rounds: 2 });
    const tries = async (): Promise<number> => {
      const before = upstream.requests.length;
      await assert.rejects(rpc.request('echo', [1]), fails('upstreamUnreachable', /HTTP 502/));
      return upstream.requests.length - before;
    };
    assert.equal(await tries(), 2);
    now += 10_000;
    assert.equal(await tries(), 1);
    broken = false;
    assert.equal(await rpc.request('echo', [1]), 1);
    broken = true;
    assert.equal(await tries(), 2);
  });

  it('are used again after an hour, and rarely asked until then', async () => {
    let now = 1_000_000;
    let broken = true;
    const first = await node((message) => (broken ? { status: 503, body: '' } : ok(message)));
    const second = await node(ok);
    const rpc = client([first.url, second.url], { now: () => now });
    for (let minute = 0; minute < 60; minute++) {
      for (let i = 0; i < 10; i++) assert.equal(await rpc.request('echo', [i]), i);
      now += 60_000;
    }
    const { length } = first.requests;
    assert.ok(length >= 20 && length <= 35, `${length} requests`);
    broken = false;
    now += 120_000;
    const before = second.requests.length;
    for (let i = 0; i < 5; i++) assert.equal(await rpc.request('echo', [i]), i);
    assert.deepEqual([first.requests.length, second.requests.length], [length + 5, before]);
  });

  it('work at once after all have been down for an hour', async () => {
    let now = 1_000_000;
    let broken = true;
    const upstream = await node((message) => (broken ? { status: 503, body: '' } : ok(message)));
    const rpc = client([upstream.url], { now: () => now, rounds: 1 });
    for (let minute = 0; minute < 60; minute++) {
      await assert.rejects(rpc.request('echo', [1]), fails('upstreamUnreachable', /HTTP 503/));
      now += 60_000;
    }
    assert.equal(upstream.requests.length, 60);
    broken = false;
    assert.equal(await rpc.request('echo', [1]), 1);
  });

  it('replace an endpoint that asks for time', async () => {
    const limited = await node(() => ({ status: 429, headers: { 'retry-after': '60' }, body: '' }));
    const second = await node(ok);
    const rpc = client([limited.url, second.url]);
    for (const value of [1, 2, 3]) assert.equal(await rpc.request('echo', [value]), value);
    assert.deepEqual([limited.requests.length, second.requests.length], [1, 3]);
  });
});

describe('an endpoint with limits', () => {
  const suite = new ClientSuite();
  afterEach(() => suite.close());
  const node = suite.node.bind(suite);
  const client = suite.client.bind(suite);

  it('gets batches of the length that it accepts', async () => {
    const upstream = await node((message) =>
      Array.isArray(message) && message.length > 10
        ? { body: [{ jsonrpc: '2.0', id: null, error: { code: -32014, message: 'maximum 10' } }] }
        : ok(message),
    );
    const rpc = client([upstream.url], { connections: 1 });
    const outcomes = await rpc.requestAll(echoes(32));
    assert.deepEqual(
      outcomes.map((one) => one.status === 'fulfilled' && one.value),
      echoes(32).map(({ params }) => params[0]),
    );
    assert.deepEqual(sizes(upstream.requests).sort(), [16, 16, 32, 8, 8, 8, 8]);
    await rpc.requestAll(echoes(32));
    assert.deepEqual(sizes(upstream.requests).slice(7), [8, 8, 8, 8]);
  });

  it('gets longer batches again after a while', async () => {
    let now = 1_000_000;
    let most = 10;
    const upstream = await node((message) =>
      Array.isArray(message) && message.length > most ? { status: 413, body: '' } : ok(message),
    );
    const rpc = client([upstream.url], { connections: 1, now: () => now });
    const batches = async (): Promise<number[]> => {
      const before = upstream.requests.length;
      const outcomes = await rpc.requestAll(echoes(32));
      assert.ok(outcomes.every(({ status }) => status === 'fulfilled'));
      return sizes(upstream.requests).slice(before);
    };
    await batches();
    now += 599_999;
    assert.deepEqual(await batches(), [8, 8, 8, 8]);
    now += 1;
    // A doubled length is still too long, so the shorter one is kept.
    assert.deepEqual((await batches()).sort(), [16, 16, 8, 8, 8, 8]);
    most = 100;
    assert.deepEqual(await batches(), [8, 8, 8, 8]);
    now += 600_000;
    assert.deepEqual(await batches(), [16, 16]);
    now += 600_000;
    assert.deepEqual(await batches(), [32]);
  });

  it('is asked again for answers that it omitted', async () => {
    const upstream = await node((message) => {
      const answer = ok(message);
      if (Array.isArray(answer?.body)) answer.body = answer.body.slice(1);
      return answer;
    });
    const outcomes = await client([upstream.url]).requestAll(echoes(4));
    assert.deepEqual(
      outcomes.map((one) => one.status === 'fulfilled' && one.value),
      [0, 1, 2, 3],
    );
  });

  it('gets fewer requests at a time after it reports too many', async () => {
    const upstream = await node((message, count) =>
      count <= 4
        ? each(message, () => ({ error: { code: -32005, message: 'slow down' } }))
        : ok(message),
    );
    const rpc = client([upstream.url], { connections: 16 });
    const atOnce = (): number => rpc.capacity;
    assert.equal(atOnce(), 16);
    await Promise.all(echoes(16).map(({ method, params }) => rpc.request(method, params)));
    const after = atOnce();
    assert.ok(after >= 8 && after < 12, `${after} at a time`);
    await Promise.all(echoes(60).map(({ method, params }) => rpc.request(method, params)));
    assert.ok(atOnce() > after, `${atOnce()} at a time`);
  });

  it('is retried until the deadline, and the message names the reason', async () => {
    const upstream = await node(() => ({ status: 429, body: '' }));
    await assert.rejects(
      client([upstream.url], { timeoutMs: 3_000 }).request('m', []),
      fails('timedOut', /^chain test did not answer m within 3 s \(HTTP 429\)$/),
    );
    assert.ok(upstream.requests.length >= 3, `${upstream.requests.length} requests`);
  });

  it("does not count as busy because of a contract's revert reason", async () => {
    const upstream = await node((message) =>
      each(message, () => ({
        error: { code: -32000, message: 'execution reverted: rate limit exceeded' },
      })),
    );
    await assert.rejects(client([upstream.url]).request('eth_call', []), RpcError);
    assert.equal(upstream.requests.length, 1);
  });
});
