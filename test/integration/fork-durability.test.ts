import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { PROJECT, type TestForks } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const STRANGER = `0x${'99'.repeat(20)}`;

describe('the durability of a fork', () => {
  const on = useFork();

  /** Makes one change of each kind. */
  async function live(rpc: string): Promise<{ snapshot: string }> {
    await call(rpc, 'anvil_setBalance', STRANGER, '0xde0b6b3a7640000');
    await call(rpc, 'eth_sendTransaction', { from: STRANGER, to: COUNTER });
    await call(rpc, 'evm_increaseTime', 1000);
    const fields = { to: COUNTER, nonce: 1, gasLimit: 100_000, gasPrice: 10n ** 10n, type: 0 };
    await call(
      rpc,
      'eth_sendRawTransaction',
      await ALICE.signTransaction({ ...fields, chainId: 1 }),
    );
    const snapshot = await call(rpc, 'evm_snapshot');
    await call(rpc, 'eth_sendTransactions', [
      { from: BOB.address, to: COUNTER },
      { from: STRANGER, to: COUNTER, data: '0xff', gas: '0x186a0' },
    ]);
    const gone = await call(rpc, 'evm_snapshot');
    await call(rpc, 'anvil_setStorageAt', COUNTER, '0x5', '0x7');
    await call(rpc, 'eth_sendTransaction', { from: BOB.address, data: '0x00' });
    await call(rpc, 'evm_revert', gone);
    await call(rpc, 'anvil_mine', '0x3', '0x3c');
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x77359400');
    await call(rpc, 'evm_setNextBlockTimestamp', 1_900_000_000);
    await call(rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER });
    await call(rpc, 'evm_setAutomine', false);
    await call(rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER });
    return { snapshot };
  }

  /** All observable state of a fork. */
  async function seen(service: TestForks, { forkId, rpc }: Fork): Promise<unknown> {
    const head = Number(await call(rpc, 'eth_blockNumber'));
    const blocks = [];
    for (let number = 4; number <= head; number++) {
      const block = `0x${number.toString(16)}`;
      blocks.push(
        await call(rpc, 'eth_getBlockByNumber', block, true),
        await call(rpc, 'eth_getBlockReceipts', block),
        await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', block),
      );
    }
    return {
      blocks,
      logs: await call(rpc, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }),
      balance: await call(rpc, 'eth_getBalance', STRANGER, 'latest'),
      storage: await call(rpc, 'eth_getStorageAt', COUNTER, '0x5', 'latest'),
      automine: await call(rpc, 'anvil_getAutomine'),
      pool: await call(rpc, 'txpool_content'),
      list: await service.forks.transactions(PROJECT, forkId, { limit: 50 }),
    };
  }

  it('survives a killed engine, with blocks, receipts, logs, state, pool and snapshots', async () => {
    const { snapshot } = await live(on.rpc);
    const before = await seen(on.service, on.fork);
    const counted = on.service.counted.length;
    process.kill(on.service.engine.pid, 'SIGKILL');
    await on.service.engine.exited;
    assert.deepEqual(await seen(on.service, on.fork), before);
    assert.equal((await on.service.forks.get(PROJECT, on.fork.forkId)).state, 'running');
    assert.equal(on.service.counted.length, counted, 'nothing is counted twice');
    assert.equal(await call(on.rpc, 'evm_revert', '0x1'), false);
    assert.equal(await call(on.rpc, 'evm_revert', snapshot), true);
    assert.equal(await on.counter(), 3);
    assert.equal(await call(on.rpc, 'evm_snapshot'), '0x2');
    assert.equal(await call(on.rpc, 'evm_revert', on.fork.snapshotId), true);
    assert.equal(await on.head(), 3);
  });

  it('survives a restart of the service, and is shown as sleeping', async () => {
    await live(on.rpc);
    const before = await seen(on.service, on.fork);
    const { records } = on.service;
    await on.service.forks.stop();
    const later = await on.another({}, { records });
    try {
      const fork = await later.forks.get(PROJECT, on.fork.forkId);
      assert.equal(fork.state, 'sleeping');
      assert.equal(later.started.length, 0);
      assert.deepEqual(await seen(later, fork), before);
      assert.equal((await later.forks.get(PROJECT, fork.forkId)).state, 'running');
    } finally {
      await later.close();
    }
  });

  it('wakes once for all simultaneous requests', async () => {
    await on.increment();
    await on.service.forks.stop();
    const engines = on.service.started.length;
    const values = await Promise.all([on.counter(), on.counter(), on.counter()]);
    assert.deepEqual(values, [2, 2, 2]);
    assert.equal(on.service.started.length, engines + 1);
  });

  it('drops a truncated last record, with a warning', async () => {
    await on.increment();
    await on.service.forks.stop();
    const file = join(on.engines.home, 'forks', `${on.fork.forkId}.journal`);
    const whole = await readFile(file, 'utf8');
    await appendFile(file, '{"op":"send","calls":[');
    assert.equal(await on.counter(), 2);
    assert.deepEqual(on.service.warnings, ['dropped the incomplete end of a journal']);
    assert.equal(await readFile(file, 'utf8'), whole);
    await on.increment();
    assert.equal(await on.counter(), 3);
  });

  it('reports an engine that cannot be started, and tries again at the next request', async () => {
    await on.increment();
    const { records } = on.service;
    await on.service.forks.stop();
    const dead = await on.another({ rpcUrls: ['http://127.0.0.1:1/5ecr3t'] }, { records });
    try {
      const { rpc, forkId } = await dead.forks.get(PROJECT, on.fork.forkId);
      const response = await fetch(rpc, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
      });
      const { error } = (await response.json()) as { error: { code: number; message: string } };
      assert.equal(error.code, -32002);
      assert.doesNotMatch(error.message, /5ecr3t|127\.0\.0\.1/);
      assert.equal((await dead.forks.get(PROJECT, forkId)).state, 'failed');
    } finally {
      await dead.close();
    }
    assert.equal(await on.counter(), 2);
  });
});
