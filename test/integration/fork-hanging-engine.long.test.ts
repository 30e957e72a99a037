import assert from 'node:assert/strict';
import { kill } from 'node:process';
import { eventually } from '../support/eventually';
import { call, reply } from '../support/json-rpc';
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

describe('a fork with a hanging engine', () => {
  let engines: TestEngines;
  let upstream: UpstreamProxy;
  let service: TestForks;
  before(async () => {
    engines = await testEngines({ everyMs: 10, answerMs: 1_000, times: 2, idleMs: 60_000 });
    const chain = await TestChain.start(engines.start);
    upstream = await UpstreamProxy.start(chain.engine.url);
    service = await TestForks.open(engines, ethChain(upstream.url));
  });
  afterEach(() => (upstream.fault = undefined));
  after(async () => {
    await service.close();
    await upstream.close();
    await engines.close();
  });

  it('gets a new engine, which answers reads and makes changes, and loses nothing', async () => {
    const { rpc } = await service.create({ height: '0x0' });
    const send = { from: ALICE.address, to: COUNTER };
    const hash = await call(rpc, 'eth_sendTransaction', send);
    const { engine } = service;
    kill(engine.pid, 'SIGSTOP');
    const [balance, block, sent] = await Promise.all([
      call(rpc, 'eth_getTransactionCount', ALICE.address, 'latest'),
      reply(rpc, 'eth_getBlockByNumber', 'latest', false),
      call(rpc, 'eth_sendTransaction', send),
    ]);
    assert.equal((await engine.exited).signal, 'SIGKILL');
    // The change may be made before or after the reads.
    assert.match(balance, /^0x[12]$/);
    const { transactions } = block.result as { transactions: string[] };
    assert.ok([hash, sent].includes(transactions[0]!));
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x2');
    const last = await reply(rpc, 'eth_getBlockByNumber', 'latest', false);
    assert.deepEqual((last.result as { transactions: string[] }).transactions, [sent]);
  });

  it('is reverted by the next engine, and has the requested snapshot', async () => {
    const { rpc } = await service.create({ height: '0x0' });
    const send = { from: ALICE.address, to: COUNTER };
    const first = await call(rpc, 'evm_snapshot');
    await call(rpc, 'eth_sendTransaction', send);
    kill(service.engine.pid, 'SIGSTOP');
    assert.equal(await call(rpc, 'evm_revert', first), true);
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x0');
    kill(service.engine.pid, 'SIGSTOP');
    const second = await call(rpc, 'evm_snapshot');
    await call(rpc, 'eth_sendTransaction', send);
    assert.equal(await call(rpc, 'evm_revert', second), true);
    assert.equal(await call(rpc, 'eth_blockNumber'), '0x0');
  });

  it('gets a new engine if the old one uses no processor time for a call, even if it answers others', async () => {
    const idle = await testEngines({ everyMs: 60_000, answerMs: 60_000, times: 9, idleMs: 500 });
    const other = await TestForks.open(idle, ethChain(upstream.url));
    try {
      const { rpc } = await other.create({ height: '0x0' });
      const { engine } = other;
      kill(engine.pid, 'SIGSTOP');
      assert.equal(await call(rpc, 'eth_getTransactionCount', ALICE.address, 'latest'), '0x0');
      assert.equal((await engine.exited).signal, 'SIGKILL');
    } finally {
      await other.close();
      await idle.close();
    }
  });

  it('keeps an engine that only waits for its chain', async () => {
    await service.create({ height: '0x0' });
    const { parameters } = service.started.at(-1)!;
    const isAsked = (): boolean | undefined => parameters.upstream?.isAsked?.();
    assert.equal(isAsked(), false);
    upstream.fault = () => 'hang';
    const { engine } = service;
    const asked = new AbortController();
    const read = engine.rpc.request('eth_getBalance', [`0x${'77'.repeat(20)}`, 'latest'], asked);
    const refused = assert.rejects(read);
    await eventually(() => {
      assert.notEqual(isAsked(), false);
    });
    await engine.stop();
    await refused;
  });
});
