import assert from 'node:assert/strict';
import { HttpRpcClient } from '../../server/chains/upstream/http-rpc-client';
import { limitExceeded, tooManyRequests, UpstreamProxy } from '../support/upstream-proxy';
import { TestChain, testEngines, type TestEngines } from './fork-upstream';

describe('a failing upstream', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let client: HttpRpcClient;
  before(async () => {
    engines = await testEngines();
    proxy = await UpstreamProxy.start((await TestChain.start(engines.start)).engine.url);
    client = new HttpRpcClient({ name: 'chain eth', urls: [proxy.url], random: () => 0 });
  });
  after(async () => {
    await client.close();
    await proxy.close();
    await engines.close();
  });
  beforeEach(() => {
    proxy.reset();
    proxy.fault = undefined;
  });

  for (const [what, fault] of [
    ['cuts the connection', 'drop'],
    ['cuts its answer', 'cut'],
    ['limits the rate by HTTP', tooManyRequests()],
    ['limits the rate by JSON-RPC', limitExceeded],
    ['answers with a page', { status: 200, body: '<html>maintenance</html>' }],
  ] as const) {
    it(`is queried again if it ${what}`, async () => {
      proxy.fault = (_, count) => (count === 1 ? fault : undefined);
      assert.equal(await client.request('eth_chainId', []), '0x1');
      assert.deepEqual(proxy.counts(), { eth_chainId: 2 });
    });
  }
});
