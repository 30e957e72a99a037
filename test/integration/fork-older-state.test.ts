import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { UpstreamProxy } from '../support/upstream-proxy';
import { TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

describe('older state of a fork', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { to: COUNTER });
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });

  it('can be read by many clients at once, each of which needs data of the chain', async () => {
    const { rpc } = await service.create({ height: '0x1' });
    for (let i = 0; i < 3; i++) await call(rpc, 'evm_mine');
    proxy.latencyMs = 20;
    const fresh = (n: number): string => `0x${n.toString(16).padStart(40, '7')}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => [
        call(rpc, 'eth_getBalance', fresh(n), '0x2'),
        call(rpc, 'eth_getStorageAt', COUNTER, `0x${n.toString(16)}`, '0x2'),
        call(rpc, 'eth_call', { to: fresh(100 + n) }, '0x3'),
        call(rpc, 'debug_traceCall', { to: fresh(200 + n) }, '0x2', { tracer: 'noopTracer' }),
      ]).flat(),
    );
    assert.equal(answers.length, 48);
    assert.equal(Number(answers[1]), 1, 'the counter');
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x4');
  });

  it('can be read while a transaction is traced on its earlier state', async () => {
    const { rpc, forkId } = await service.create({ height: '0x1' });
    const hash = await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    for (let i = 0; i < 3; i++) await call(rpc, 'evm_mine');
    const { engine } = await service.forks.networkOf(forkId);
    proxy.latencyMs = 20;
    const tracer = { tracer: 'callTracer' };
    const traces = await Promise.all(
      Array.from({ length: 6 }, (_, n) => [
        engine.request('debug_traceTransaction', [hash, tracer]),
        engine.request('debug_traceCall', [{ to: `0x${'6'.repeat(39)}${n}` }, '0x1', tracer]),
      ]).flat(),
    );
    assert.deepEqual(
      new Set(traces.map((trace) => (trace as { type: string }).type)),
      new Set(['CALL']),
    );
  });
});
