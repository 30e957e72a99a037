import assert from 'node:assert/strict';
import type { Hex } from '../../server/api/primitives';
import type { RpcBlock } from '../../server/evm/forms/types';
import { applyTransactions } from '../../server/execution/prefix/apply-prefix';
import { rawTransaction } from '../../server/execution/prefix/raw-transaction';
import { fetchBlock, fetchReceipts } from '../../server/execution/prefix/upstream-block';
import { ALICE, BOB, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

describe('the replay of a block on a real engine', () => {
  let engines: TestEngines;
  let chain: TestChain;
  let block: RpcBlock;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    const { rpc } = chain.engine;
    await chain.mine();
    await rpc.request('anvil_setCoinbase', [`0x${'fe'.repeat(20)}`]);
    await chain.send(ALICE, { to: COUNTER, type: 0 });
    await chain.send(BOB, { to: COUNTER, type: 0, chainId: 0 });
    await chain.send(ALICE, {
      to: COUNTER,
      type: 1,
      accessList: [{ address: COUNTER, storageKeys: [`0x${'00'.repeat(32)}`] }],
    });
    await chain.send(BOB, { to: COUNTER, data: '0xff' });
    const authorization = await BOB.authorize({ address: COUNTER, chainId: 1, nonce: 2 });
    await chain.send(ALICE, { to: COUNTER, type: 4, authorizationList: [authorization] });
    await rpc.request('anvil_impersonateAccount', [ALICE.address]);
    await chain.send(ALICE, {
      to: COUNTER,
      type: 3,
      maxFeePerBlobGas: 10n ** 10n,
      blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
    });
    await chain.send(ALICE, { to: null, data: '0x6001600155600a6011600039600a6000f3' });
    block = (await fetchBlock(rpc, await chain.mine()))!;
    assert.equal(block.transactions.length, 7);
  });
  after(() => engines.close());

  const forkBefore = async () =>
    engines.start({
      upstream: { url: chain.engine.url, blockNumber: Number(block.number) - 1 },
      chainId: 1,
      hardfork: 'prague',
    });

  it('rebuilds the signed bytes of every type', async () => {
    for (const transaction of block.transactions) {
      const raw = rawTransaction(transaction);
      const known = (await chain.engine.rpc.request('eth_getRawTransactionByHash', [
        transaction.hash,
      ])) as Hex;
      if (transaction.type !== '0x3') assert.equal(raw, known);
    }
    assert.deepEqual(
      block.transactions.map(({ type }) => type),
      ['0x0', '0x0', '0x1', '0x2', '0x4', '0x3', '0x2'],
    );
  });

  for (const count of [1, 4, 7]) {
    it(`produces the original receipts of the first ${count} transactions, in the block's own context`, async () => {
      const engine = await forkBefore();
      const receipts = await fetchReceipts(chain.engine.rpc, block, count);
      const progress: number[] = [];
      const comparison = await applyTransactions(engine.rpc, block, count, {
        receipts,
        upstream: chain.engine.rpc,
        onProgress: (done) => progress.push(done),
      });
      assert.deepEqual(comparison, { applied: count });
      assert.equal(progress.length, count);
      const mined = (await fetchBlock(engine.rpc, Number(block.number)))!;
      for (const field of ['number', 'timestamp', 'miner', 'gasLimit', 'baseFeePerGas'] as const) {
        assert.equal(mined[field], block[field], field);
      }
      assert.deepEqual(
        mined.transactions.map(({ hash }) => hash),
        block.transactions.slice(0, count).map(({ hash }) => hash),
      );
      await engine.stop();
    });
  }

  it('reports the first receipt that differs', async () => {
    const engine = await forkBefore();
    const receipts = await fetchReceipts(chain.engine.rpc, block, 4);
    await engine.rpc.request('anvil_setStorageAt', [COUNTER, '0x0', `0x${'07'.padStart(64, '0')}`]);
    const comparison = await applyTransactions(engine.rpc, block, 4, {
      receipts,
      upstream: chain.engine.rpc,
    });
    assert.equal(comparison.applied, 4);
    assert.match(
      comparison.firstDifference ?? '',
      new RegExp(
        `^transaction 0 \\(${block.transactions[0]!.hash}\\): gas used \\d+ instead of \\d+$`,
      ),
    );
    await engine.stop();
  });
});
