import assert from 'node:assert/strict';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { COUNTER } from './fork-upstream';

const STRANGER = `0x${'99'.repeat(20)}`;

describe('state, time and snapshots of a fork', () => {
  const on = useFork();

  it('returns to the default snapshot any number of times', async () => {
    for (let round = 0; round < 3; round++) {
      await on.increment();
      assert.equal(await on.counter(), 2);
      assert.equal(await call(on.rpc, 'evm_revert', on.fork.snapshotId), true);
      assert.equal(await on.counter(), 1);
      assert.equal(await on.head(), 3);
    }
    await call(on.rpc, 'evm_mine');
    assert.equal(await on.head(), 4);
  });

  it('traces transactions that are requested simultaneously, also after many reverts', async () => {
    for (let round = 0; round < 30; round++) {
      const snapshot = await call(on.rpc, 'evm_snapshot');
      const hashes: string[] = [];
      for (let i = 0; i < 8; i++) hashes.push(await on.increment());
      const traces = hashes.map((hash) =>
        call<{ type: string }>(on.rpc, 'debug_traceTransaction', hash, { tracer: 'callTracer' }),
      );
      for (const { type } of await Promise.all(traces)) assert.equal(type, 'CALL');
      await call(on.rpc, 'evm_revert', snapshot);
    }
  });

  it('is reset to the default snapshot, and to no other block or chain', async () => {
    for (const [method, ...params] of [
      ['hardhat_reset'],
      ['anvil_reset', null],
      ['hardhat_reset', {}],
      ['anvil_reset', { forking: { blockNumber: null } }],
    ] as [string, ...unknown[]][]) {
      await on.increment();
      await call(on.rpc, 'evm_setAutomine', false);
      await call(on.rpc, 'anvil_impersonateAccount', STRANGER);
      assert.equal(await call(on.rpc, method, ...params), null);
      assert.deepEqual([await on.counter(), await on.head()], [1, 3]);
      assert.equal(await call(on.rpc, 'anvil_getAutomine'), true);
      assert.equal((await call<string[]>(on.rpc, 'eth_accounts')).includes(STRANGER), false);
    }
    await on.increment();
    for (const options of [
      { forking: { jsonRpcUrl: 'http://127.0.0.1:1' } },
      { forking: { blockNumber: 3 } },
      'http://127.0.0.1:1',
    ]) {
      const error = await refusal(on.rpc, 'hardhat_reset', options);
      assert.equal(error.code, -32004);
      assert.match(error.message, /^the block and chain of a fork are fixed; /);
    }
    assert.equal(await on.counter(), 2);
  });

  it('accepts the switches for logs and automine with true and false only', async () => {
    assert.equal(await call(on.rpc, 'hardhat_setLoggingEnabled', true), null);
    assert.equal(await call(on.rpc, 'anvil_setLoggingEnabled', false), null);
    assert.match(
      (await refusal(on.rpc, 'anvil_setLoggingEnabled', 'yes')).message,
      /^the parameter is "yes"; accepted: true or false$/,
    );
    const { code, message } = await refusal(on.rpc, 'evm_setAutomine', 'true');
    assert.deepEqual([code, message], [-32602, 'the parameter is "true"; accepted: true or false']);
    assert.equal(await call(on.rpc, 'anvil_getAutomine'), true);
  });

  it('returns each snapshot id once, and consumes them like anvil', async () => {
    const first = await call(on.rpc, 'evm_snapshot');
    await on.increment();
    const second = await call(on.rpc, 'anvil_snapshot');
    await on.increment();
    assert.deepEqual([first, second], ['0x0', '0x1']);
    assert.equal(await call(on.rpc, 'evm_revert', second), true);
    assert.equal(await on.counter(), 2);
    assert.equal(await call(on.rpc, 'evm_revert', second), false);
    assert.equal(await call(on.rpc, 'hardhat_snapshot').catch(String), '0x2');
    assert.equal(await call(on.rpc, 'evm_revert', first), true);
    assert.equal(await on.counter(), 1);
    assert.equal(await call(on.rpc, 'evm_revert', '0x2'), false);
    assert.equal(await call(on.rpc, 'evm_revert', '0x77'), false);
    assert.equal(await call(on.rpc, 'evm_snapshot'), '0x3');
  });

  for (const restart of [false, true]) {
    it(`a revert undoes all settings${restart ? ', also by another engine' : ''}`, async () => {
      type Block = Record<'number' | 'miner' | 'baseFeePerGas' | 'gasLimit' | 'timestamp', string>;
      const settings = async () => {
        const { number, miner, baseFeePerGas, gasLimit, timestamp } = await call<Block>(
          on.rpc,
          'eth_getBlockByNumber',
          'pending',
          false,
        );
        return {
          number,
          miner,
          baseFeePerGas,
          gasLimit,
          timestamp,
          automine: await call<boolean>(on.rpc, 'anvil_getAutomine'),
          impersonated: (await call<string[]>(on.rpc, 'eth_accounts')).slice(10),
          pool: await call(on.rpc, 'txpool_status'),
        };
      };
      await call(on.rpc, 'anvil_setCoinbase', COUNTER);
      await call(on.rpc, 'anvil_setNextBlockBaseFeePerGas', '0x77359400');
      await call(on.rpc, 'anvil_setBlockGasLimit', '0x1312d00');
      await call(on.rpc, 'evm_setNextBlockTimestamp', 1_900_000_000);
      await call(on.rpc, 'anvil_impersonateAccount', COUNTER);
      const before = await settings();
      assert.deepEqual(before, {
        number: '0x4',
        miner: COUNTER,
        baseFeePerGas: '0x77359400',
        gasLimit: '0x1312d00',
        timestamp: '0x713fb300',
        automine: true,
        impersonated: [COUNTER],
        pool: { pending: '0x0', queued: '0x0' },
      });
      const id = await call(on.rpc, 'evm_snapshot');
      await call(on.rpc, 'anvil_setCoinbase', STRANGER);
      await call(on.rpc, 'anvil_setNextBlockBaseFeePerGas', '0x5');
      await call(on.rpc, 'anvil_setBlockGasLimit', '0x2dc6c0');
      await call(on.rpc, 'anvil_setBlockTimestampInterval', 7);
      await call(on.rpc, 'evm_increaseTime', 100_000);
      await call(on.rpc, 'anvil_stopImpersonatingAccount', COUNTER);
      await call(on.rpc, 'anvil_impersonateAccount', STRANGER);
      await call(on.rpc, 'anvil_mine', '0x5');
      await call(on.rpc, 'evm_setAutomine', false);
      await on.increment();
      assert.notDeepEqual(await settings(), before);
      if (restart) await on.service.forks.stop();
      assert.equal(await call(on.rpc, 'evm_revert', id), true);
      assert.deepEqual(await settings(), before);
      if (restart) await on.service.forks.stop();
      assert.deepEqual(await settings(), before);
      await call(on.rpc, 'evm_mine');
      const { number, miner, baseFeePerGas, gasLimit, timestamp } = await call<Block>(
        on.rpc,
        'eth_getBlockByNumber',
        'latest',
        false,
      );
      const next = { number, miner, baseFeePerGas, gasLimit, timestamp };
      assert.deepEqual({ ...before, ...next }, before);
    });
  }

  it('lets users change the time, and every block is later than the one before', async () => {
    const time = async () =>
      Number(
        (await call<{ timestamp: string }>(on.rpc, 'eth_getBlockByNumber', 'latest', false))
          .timestamp,
      );
    const start = await time();
    await call(on.rpc, 'evm_mine');
    await call(on.rpc, 'evm_mine');
    assert.ok((await time()) >= start + 2);
    await call(on.rpc, 'evm_increaseTime', 3600);
    await call(on.rpc, 'evm_mine');
    assert.ok((await time()) >= start + 3602);
    await call(on.rpc, 'evm_setNextBlockTimestamp', start + 10_000);
    await call(on.rpc, 'evm_mine');
    assert.equal(await time(), start + 10_000);
    await call(on.rpc, 'evm_mine', { timestamp: start + 20_000, blocks: 2 });
    assert.equal(await time(), start + 20_001);
    const block = await on.head();
    assert.equal(await call(on.rpc, 'hardhat_mine', '0x64', '0xc'), null);
    assert.equal(await on.head(), block + 100);
    assert.equal((await refusal(on.rpc, 'anvil_mine', 1e9)).code, -32602);
    assert.match((await refusal(on.rpc, 'evm_setNextBlockTimestamp', 5)).message, /lower than/);
  });

  it('mines several blocks at the configured interval, and continues after them', async () => {
    const times = async (count: number): Promise<number[]> => {
      const head = await on.head();
      const numbers = Array.from({ length: count }, (_, i) => toQuantity(head - count + 1 + i));
      const blocks = await Promise.all(
        numbers.map((one) =>
          call<{ timestamp: string }>(on.rpc, 'eth_getBlockByNumber', one, false),
        ),
      );
      return blocks.map(({ timestamp }) => Number(timestamp));
    };
    const [start = 0] = await times(1);
    await call(on.rpc, 'anvil_setBlockTimestampInterval', 7);
    await call(on.rpc, 'anvil_mine', '0x2', '0x0');
    assert.deepEqual(await times(2), [start + 7, start + 14]);
    await call(on.rpc, 'hardhat_mine', '0x2', '0x3c');
    assert.deepEqual(await times(2), [start + 21, start + 28]);
    await call(on.rpc, 'anvil_removeBlockTimestampInterval');
    await call(on.rpc, 'anvil_mine', '0x1', '0x0');
    const [next = 0] = await times(1);
    assert.ok(next > start + 28, `${next} after ${start + 28}`);
    await call(on.rpc, 'anvil_mine', '0x3', '0x0');
    const [first = 0, second, third] = await times(3);
    assert.ok(first > next);
    assert.deepEqual([second, third], [first, first]);
    await on.service.forks.stop();
    assert.deepEqual(await times(3), [first, first, first]);
  });

  it('supports all names of the state methods', async () => {
    const balance = () => call(on.rpc, 'eth_getBalance', STRANGER, 'latest');
    for (const [i, method] of [
      'anvil_setBalance',
      'hardhat_setBalance',
      'evm_setBalance',
      'evm_setAccountBalance',
    ].entries()) {
      assert.equal(await call(on.rpc, method, STRANGER, `0x${i + 1}`), null);
      assert.equal(await balance(), `0x${i + 1}`, method);
    }
    await call(on.rpc, 'tenderly_setBalance', [STRANGER, COUNTER], '0x64');
    await call(on.rpc, 'tenderly_addBalance', [STRANGER], '0x1');
    assert.equal(await balance(), '0x65');
    assert.equal(await call(on.rpc, 'eth_getBalance', COUNTER, 'latest'), '0x64');
    await call(on.rpc, 'tenderly_setStorageAt', COUNTER, '0x0', '0x2a');
    assert.equal(await on.counter(), 42);
    await call(on.rpc, 'hardhat_setCode', STRANGER, '0x6001');
    assert.equal(await call(on.rpc, 'eth_getCode', STRANGER, 'latest'), '0x6001');
    await call(on.rpc, 'hardhat_setNonce', STRANGER, '0x7');
    assert.equal(await call(on.rpc, 'eth_getTransactionCount', STRANGER, 'latest'), '0x7');
    assert.equal(await call(on.rpc, 'hardhat_impersonateAccount', STRANGER), null);
  });

  it('gives whole accounts before the fork point only, since later storage roots are unknown', async () => {
    const known = await call(on.chain.rpcUrls[0] as string, 'eth_getAccount', COUNTER, '0x2');
    assert.deepEqual(await call(on.rpc, 'eth_getAccount', COUNTER, '0x2'), known);
    for (const block of ['0x3', 'latest']) {
      const { code, message } = await refusal(on.rpc, 'eth_getAccount', COUNTER, block);
      assert.equal(code, -32004);
      assert.match(message, /^eth_getAccount is available before block 3, the fork point/);
    }
  });
});
