import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import { UpstreamGateway } from '../../../../server/chains/upstream/upstream-gateway';

describe('the upstream gateway', () => {
  const internal: unknown[] = [];
  const gateway = new UpstreamGateway((error) => internal.push(error));
  after(() => gateway.close());

  const post = (url: string, body: unknown): Promise<Response> =>
    fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const failing = (error: Error) => ({
    request: () => Promise.reject(error),
    requestAll: () => Promise.reject(error),
  });

  it('serves each fork point at its own address, until it is closed', async () => {
    const upstream = failing(
      new ApiError('upstreamUnreachable', 'no RPC endpoint of chain x answers'),
    );
    const [first, second] = await Promise.all([
      gateway.open({ chainId: 1, blockNumber: 5, upstream }),
      gateway.open({ chainId: 1, blockNumber: 6, upstream }),
    ]);
    assert.match(first.url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    const question = [
      { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
      { jsonrpc: '2.0', id: 2, method: 'eth_gasPrice', params: [] },
    ];
    assert.deepEqual(await (await post(first.url, question)).json(), [
      { jsonrpc: '2.0', id: 1, result: '0x5' },
      {
        jsonrpc: '2.0',
        id: 2,
        error: { code: -32002, message: 'no RPC endpoint of chain x answers' },
      },
    ]);
    assert.deepEqual(await (await post(second.url, question[0])).json(), {
      jsonrpc: '2.0',
      id: 1,
      result: '0x6',
    });
    assert.equal((await post(`${new URL(first.url).origin}/`, question)).status, 404);
    first.close();
    assert.equal((await post(first.url, question)).status, 404);
    assert.equal((await post(second.url, question)).status, 200);
  });

  it('counts the failed reads of executions, not what users of the engine look up', async () => {
    const error = new ApiError('upstreamUnreachable', 'no RPC endpoint of chain x answers');
    const point = { chainId: 1, blockNumber: 5, upstream: failing(error) };
    const { url, failedReads } = await gateway.open(point);
    const ask = (method: string, ...params: unknown[]): Promise<Response> =>
      post(url, { jsonrpc: '2.0', id: 1, method, params });
    const hash = `0x${'12'.repeat(32)}`;
    await ask('eth_chainId');
    await ask('eth_unknown');
    await ask('eth_getLogs', {});
    await ask('eth_getTransactionByHash', hash);
    await ask('eth_getBalance', '0x1', '0x4');
    assert.deepEqual(failedReads, { count: 0, last: undefined });
    await ask('eth_getCode', '0x1', '0x5');
    await ask('eth_getStorageAt', '0x1', '0x0', '0x5');
    await ask('eth_getBlockByNumber', '0x3', false);
    assert.deepEqual(failedReads, { count: 3, last: error });
  });

  it('hides the details of an internal error from an engine', async () => {
    const { url } = await gateway.open({ chainId: 1, upstream: failing(new TypeError('secret')) });
    const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] });
    assert.deepEqual(await answer.json(), {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'internal error' },
    });
    assert.equal(internal.length, 1);
    const malformed = (await (await post(url, '{')).json()) as { error: { code: number } };
    assert.equal(malformed.error.code, -32700);
  });
});
