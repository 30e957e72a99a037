import assert from 'node:assert/strict';
import type { InvocationFlow } from '../../server/api/explorer';
import { assemble } from '../fidelity/assembler';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const OUTER = `0x${'c0'.repeat(20)}`;
const INNER = `0x${'c1'.repeat(20)}`;
/** Calls an account until less than 60,000 gas is left. */
const CODE = assemble(`:loop 0 0 0 0 0 ${INNER} gas call pop gas 60000 lt @loop jumpi`);
const GAS = 11_000_000;

describe('a transaction with tens of thousands of calls of one frame, without a debug API', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestService;
  let hash: string;
  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start, 1, 'prague');
    await chain.engine.rpc.request('anvil_setCode', [OUTER, CODE]);
    await chain.mine();
    hash = await chain.send(BOB, { to: OUTER, gasLimit: GAS });
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = withoutDebugApi;
    const config = {
      chains: [ethChain(proxy.url, { hardfork: 'prague' })],
      prices: { source: 'none' },
    };
    service = await startService({ config });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  it('is executed by a thread, since the time of the engine is quadratic', async () => {
    const response = await fetch(
      `${service.url}/v1/explorer/eth/transaction/${hash}/invocation-flow`,
      { headers: { 'Access-Key': service.key } },
    );
    const { data } = (await response.json()) as { data: InvocationFlow };
    const { method, faithful, executor } = data.verification;
    assert.deepEqual(
      { method, faithful, executor },
      { method: 'replay', faithful: true, executor: 'process' },
    );
    assert.ok(Object.keys(data.dataMap).length > 70_000, `${Object.keys(data.dataMap).length}`);
  }).timeout(300_000);
});
