import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import { eventually } from '../support/eventually';
import { createFork, startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';
import { ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const GENERATED = /^[0-9a-f]{16}$/;

describe('the id and the trace of a request', () => {
  let engines: TestEngines;
  let upstream: UpstreamProxy;
  let service: TestService;
  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    for (let index = 0; index < 8; index++) await chain.mine();
    upstream = await UpstreamProxy.start(chain.engine.url);
    service = await startService({ config: { chains: [ethChain(upstream.url)] } });
  });
  after(async () => {
    await service.stop();
    await upstream.close();
    await engines.close();
  });
  beforeEach(() => {
    upstream.reset();
  });
  const idOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await fetch(service.url + path, { headers });
    return answer.headers.get('X-Request-Id') ?? '';
  };
  /** The newest line of the log about a finished request. */
  const logged = (requestId: string): Promise<Record<string, unknown>> =>
    eventually(() => {
      const lines = service.stderr.map((line) => JSON.parse(line) as Record<string, unknown>);
      const found = lines.find((one) => one['requestId'] === requestId && one['msg'] === 'request');
      assert.ok(found, `the request ${requestId} is not in the log`);
      return found;
    });

  it('is in every answer, also of errors and of JSON-RPC', async () => {
    const answers = ['/health', '/v1/nothing', `/rpc/${'0'.repeat(32)}`, '/openapi.json'];
    for (const path of answers) assert.match(await idOf(path), GENERATED);
    const given = 'client-1.2:3/4+5=';
    for (const path of answers) {
      assert.equal(await idOf(path, { 'X-Request-Id': given }), given);
    }
  });

  it('is in every answer of a fork once: known, from the engine, later, refused', async () => {
    const { rpc } = await createFork(service, { chainId: 1 });
    const call = (method: string, ...params: unknown[]): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const account = `0x${'11'.repeat(20)}`;
    const known = call('eth_blockNumber');
    const bodies = [
      known,
      call('eth_getBalance', account, 'latest'),
      call('eth_getBalance', account, 'latest'),
      call('evm_mine'),
      call('eth_none'),
      `[${known}]`,
      '{',
      '['.repeat(2_000),
      '"'.repeat(9_000_000),
    ];
    const statuses: number[] = [];
    const ask = async (init: RequestInit, type = 'application/json'): Promise<void> => {
      const given = `fork-${statuses.length}`;
      const headers = { 'X-Request-Id': given, 'Content-Type': type };
      const answer = await fetch(rpc, { ...init, headers });
      await answer.arrayBuffer();
      statuses.push(answer.status);
      assert.equal(answer.headers.get('X-Request-Id'), given);
    };
    for (const body of bodies) await ask({ method: 'POST', body });
    await ask({ method: 'POST', body: known }, 'text/plain');
    await ask({ method: 'GET' });
    await ask({ method: 'OPTIONS' });
    const answered = Array<number>(7).fill(200);
    assert.deepEqual(statuses, [...answered, 400, 413, 415, 405, 204]);
  });

  it('is a new one where the client sent an unreadable one', async () => {
    for (const given of ['', 'with space', 'x'.repeat(129), 'a"b', '{}', 'é']) {
      const headers = { 'X-Request-Id': given };
      assert.match(await idOf('/health', headers), GENERATED, given);
    }
    assert.equal(await idOf('/health', { 'X-Request-Id': 'x'.repeat(128) }), 'x'.repeat(128));
  });

  it('is in the log, with the trace', async () => {
    const headers = { 'X-Request-Id': 'logged-1', traceparent: PARENT };
    await idOf('/v1/nothing', headers);
    const line = await logged('logged-1');
    assert.deepEqual([line['traceId'], line['status']], [TRACE_ID, 404]);
    await idOf('/v1/nothing', { 'X-Request-Id': 'logged-2' });
    assert.ok(!('traceId' in (await logged('logged-2'))));
  });

  it('reaches the nodes of a chain', async () => {
    const headers = {
      'X-Request-Id': 'upstream-1',
      traceparent: PARENT,
      tracestate: 'vendor=opaque,other=1',
    };
    const path = '/v1/chains/eth/block?at=1';
    assert.equal((await service.request('GET', path, { headers })).message, 'OK');
    assert.ok(upstream.headers.length > 0);
    for (const sent of upstream.headers) {
      assert.equal(sent['x-request-id'], 'upstream-1');
      assert.equal(sent['traceparent'], PARENT);
      assert.equal(sent['tracestate'], headers.tracestate);
    }
    upstream.reset();
    const other = await service.request('GET', '/v1/chains/eth/block?at=2');
    assert.ok(upstream.headers.length > 0);
    for (const sent of upstream.headers) {
      assert.equal(sent['x-request-id'], other.headers.get('X-Request-Id'));
      assert.equal(sent['traceparent'], undefined);
    }
  });

  const invalid: [string, string][] = [
    ['of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['with a parent of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['in upper case', PARENT.toUpperCase()],
    ['of the version ff', PARENT.replace(/^00/, 'ff')],
    ['with more than version 00 has', `${PARENT}-00`],
    ['that is cut off', PARENT.slice(0, -1)],
    ['sent twice', `${PARENT}, ${PARENT}`],
  ];
  for (const [index, [what, traceparent]] of invalid.entries()) {
    it(`is not a trace ${what}`, async () => {
      const headers = { 'X-Request-Id': `invalid-${index}`, traceparent, tracestate: 'vendor=1' };
      const path = `/v1/chains/eth/block?at=${index + 1}`;
      assert.equal((await service.request('GET', path, { headers })).message, 'OK');
      assert.ok(upstream.headers.length > 0);
      for (const sent of upstream.headers) {
        assert.deepEqual([sent['traceparent'], sent['tracestate']], [undefined, undefined]);
        assert.equal(sent['x-request-id'], `invalid-${index}`);
      }
      assert.ok(!('traceId' in (await logged(`invalid-${index}`))));
    });
  }

  it('of a later version is passed on as it is', async () => {
    const traceparent = `01-${TRACE_ID}-00f067aa0ba902b7-01-more`;
    await service.request('GET', '/v1/chains/eth/block?at=8', { headers: { traceparent } });
    assert.ok(upstream.headers.length > 0);
    for (const sent of upstream.headers) assert.equal(sent['traceparent'], traceparent);
  });

  it('of a WebSocket holds for its calls', async () => {
    const fork = await createFork(service, { chainId: 1, height: '0x3' });
    const headers = { 'X-Request-Id': 'socket-1', traceparent: PARENT };
    const socket = new WebSocket(fork.rpc.replace('http', 'ws'), { headers });
    await once(socket, 'open');
    upstream.reset();
    const answered = once(socket, 'message');
    // A block below the fork point is read from the chain.
    const params = ['0x2', false];
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceBlockByNumber', params }),
    );
    await answered;
    socket.terminate();
    // What the engine reads by itself belongs to no request.
    const ids = new Set(upstream.headers.map((sent) => sent['x-request-id'] ?? 'engine'));
    ids.delete('engine');
    assert.deepEqual([...ids], ['socket-1']);
  });
});
