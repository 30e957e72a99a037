import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { isKind, PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

describe('a branch of a fork', () => {
  const on = useFork();
  const branch = (transaction?: string) =>
    on.service.forks.branch(
      PROJECT,
      on.fork.forkId,
      { name: 'branch', transaction: transaction as `0x${string}` | undefined },
      { signal: new AbortController().signal },
    );
  const blocks = async (rpc: string): Promise<string[]> => {
    const head = Number(await call(rpc, 'eth_blockNumber'));
    const numbers = Array.from({ length: head - 3 }, (_, index) => `0x${(index + 4).toString(16)}`);
    const all = numbers.map((number) =>
      call<{ hash: string }>(rpc, 'eth_getBlockByNumber', number, false),
    );
    return (await Promise.all(all)).map(({ hash }) => hash);
  };

  it('starts right before the transaction, with the same blocks and changes, and diverges from there', async () => {
    await call(on.rpc, 'anvil_setBalance', BOB.address, '0x2a');
    await on.increment();
    await call(on.rpc, 'evm_increaseTime', 3_600);
    const second = await on.increment();
    const third = await on.increment();
    const { rpc, forkId, name, transactionCount } = await branch(third);
    assert.deepEqual([name, transactionCount], ['branch', 2]);
    assert.notEqual(forkId, on.fork.forkId);
    const original = await blocks(on.rpc);
    assert.deepEqual(await blocks(rpc), original.slice(0, 2));
    assert.equal(await call(rpc, 'eth_getBalance', BOB.address, 'latest'), '0x2a');
    const receipt = await call<{ status: string }>(rpc, 'eth_getTransactionReceipt', second);
    assert.equal(receipt.status, '0x1');
    assert.equal(await call<unknown>(rpc, 'eth_getTransactionReceipt', third), null);

    await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER, data: '0xff' });
    assert.equal(Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest')), 3);
    assert.equal(await on.counter(), 4);
    // Only transactions executed on the branch itself count for it.
    assert.equal(
      on.service.counted.reduce((sum, [, count]) => sum + count, 0),
      4,
    );
  });

  it('has all that was done where no transaction is named', async () => {
    const kept = await on.service.forks.keepSnapshot(PROJECT, on.fork.forkId, 'kept');
    for (let made = 0; made < 3; made++) await on.increment();
    await on.service.forks.revertSnapshot(PROJECT, on.fork.forkId, kept.snapshotId);
    await on.increment();
    await call(on.rpc, 'anvil_setBalance', BOB.address, '0x2b');
    const { rpc, transactionCount } = await branch();
    assert.equal(transactionCount, 1);
    assert.deepEqual(await blocks(rpc), await blocks(on.rpc));
    assert.equal(await call(rpc, 'eth_getBalance', BOB.address, 'latest'), '0x2b');
    await call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    assert.equal(Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest')), 3);
    assert.equal(await on.counter(), 2);
  });

  it('omits reverted changes, and keeps earlier snapshots', async () => {
    const kept = await on.service.forks.keepSnapshot(PROJECT, on.fork.forkId, 'kept');
    await on.increment();
    await on.increment();
    await on.service.forks.revertSnapshot(PROJECT, on.fork.forkId, kept.snapshotId);
    const first = await on.increment();
    const second = await on.increment();
    const before = await branch(second);
    assert.equal(before.transactionCount, 1);
    const receipt = await call<{ status: string }>(before.rpc, 'eth_getTransactionReceipt', first);
    assert.equal(receipt.status, '0x1');
    await on.service.forks.revertSnapshot(PROJECT, before.forkId, kept.snapshotId);
    assert.equal(Number(await call(before.rpc, 'eth_blockNumber')), 3);
    const start = await branch(first);
    assert.equal(start.transactionCount, 0);
    await call(start.rpc, 'evm_revert', start.snapshotId);
  });

  it('survives a killed engine, like every fork', async () => {
    await on.increment();
    const { rpc, forkId } = await branch(await on.increment());
    const before = await blocks(rpc);
    await on.service.engine.stop();
    assert.deepEqual(await blocks(rpc), before);
    const { transactionCount } = await on.service.forks.get(PROJECT, forkId);
    assert.equal(transactionCount, 1);
  });

  it('needs a transaction that was made on the fork', async () => {
    await assert.rejects(
      branch(on.original),
      isKind('transactionNotFound', /not known on fork fork_/),
    );
  });
});
