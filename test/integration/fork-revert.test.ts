import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const hexJson = (value: object): string =>
  `0x${Buffer.from(JSON.stringify(value)).toString('hex')}`;

/** Mines a block whose header has these members, as the newest block. */
async function mineWith(chain: TestChain, members: object): Promise<void> {
  const { rpc } = chain.engine;
  const number = await chain.mine();
  const header = (await rpc.request('eth_getBlockByNumber', ['latest', false])) as object;
  const block = { header: { ...header, ...members }, transactions: [], ommers: [] };
  const state = { block: null, best_block_number: null, accounts: {}, blocks: [block] };
  await rpc.request('anvil_loadState', [hexJson(state)]);
  const params = [`0x${number.toString(16)}`, false];
  const found = (await rpc.request('eth_getBlockByNumber', params)) as object;
  assert.deepEqual({ ...found, ...members }, found);
}

describe('a revert', () => {
  let engines: TestEngines;
  before(async () => {
    engines = await testEngines();
  });
  after(() => engines.close());

  /** The engine adds the total difficulty of reverted blocks as well. */
  const head = async (rpc: string) => ({
    ...(await call<object>(rpc, 'eth_getBlockByNumber', 'latest', true)),
    totalDifficulty: undefined,
  });
  const send = (rpc: string) =>
    call(rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: COUNTER,
      gas: '0x186a0',
      gasPrice: '0x77359400',
    });

  /**
   * The blocks after a revert depend only on the state at the snapshot, not on the reverted changes. A new engine, which never made those,
   * produces the same blocks.
   */
  for (const [hardfork, members] of [
    ['prague', {}],
    ['prague', { excessBlobGas: '0x4c4b400' }],
    ['cancun', { excessBlobGas: '0x4c4b400' }],
    ['london', { difficulty: '0x1000' }],
    ['berlin', { difficulty: '0x1000' }],
  ] as const) {
    it(`leaves no trace on a chain in ${hardfork} with ${JSON.stringify(members)}`, async () => {
      const chain = await TestChain.start(engines.start, 1, hardfork);
      await mineWith(chain, members);
      const service = await TestForks.open(engines, { ...ethChain(chain.engine.url), hardfork });
      const { rpc, snapshotId } = await service.create({ height: '0x1' });
      const { pid } = service.engine;
      for (let round = 0; round < 3; round++) {
        const outer = await call(rpc, 'evm_snapshot');
        await send(rpc);
        await call(rpc, 'anvil_setBalance', BOB.address, '0x7');
        const inner = await call(rpc, 'evm_snapshot');
        for (let i = 0; i < 3; i++) await send(rpc);
        await call(rpc, 'anvil_setCoinbase', BOB.address);
        await call(rpc, 'anvil_mine', '0x5');
        await call(rpc, 'evm_revert', inner);
        await send(rpc);
        if (round === 1) await call(rpc, 'evm_revert', outer);
        await send(rpc);
      }
      assert.equal(service.engine.pid, pid, 'the engine was replaced');
      const before = await head(rpc);
      await service.engine.stop();
      assert.deepEqual(await head(rpc), before);
      assert.notEqual(service.engine.pid, pid);
      assert.equal(await call(rpc, 'evm_revert', snapshotId), true);
      await send(rpc);
      const first = await head(rpc);
      await service.engine.stop();
      assert.deepEqual(await head(rpc), first);
      await service.close();
    });
  }

  it('keeps older state readable and traceable after many reverted blocks', async () => {
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    const service = await TestForks.open(engines, ethChain(chain.engine.url));
    const { rpc } = await service.create({ height: '0x1' });
    const first = await send(rpc);
    await send(rpc);
    for (let round = 0; round < 3; round++) {
      const snapshot = await call(rpc, 'evm_snapshot');
      await call(rpc, 'anvil_mine', '0x64');
      assert.equal(await call(rpc, 'evm_revert', snapshot), true);
    }
    await send(rpc);
    const counters = await Promise.all(
      ['0x1', '0x2', '0x3', '0x4'].map((block) =>
        call(rpc, 'eth_getStorageAt', COUNTER, '0x0', block),
      ),
    );
    assert.deepEqual(counters.map(Number), [0, 1, 2, 3]);
    assert.equal(service.started.length, 2, 'a new engine, once');
    const tracer = { tracer: 'prestateTracer' };
    const touched = await call<object>(rpc, 'debug_traceTransaction', first, tracer);
    assert.ok(COUNTER in touched);
    await service.close();
  });
});
