import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { call, refusal } from '../support/json-rpc';
import { TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

interface Block {
  number: string;
  hash: string;
  timestamp: string;
  transactions: string[];
}

describe('interval mining on a fork', () => {
  let engines: TestEngines;
  let service: TestForks;
  let rpc: string;
  /** Pending timers by their milliseconds. The tests fire them. */
  let timers: { ms: number; callback: () => void }[];

  beforeEach(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    timers = [];
    const after = (ms: number, callback: () => void) => {
      const timer = { ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    };
    service = await TestForks.open(engines, ethChain(chain.engine.url), { engines: { after } });
    ({ rpc } = await service.create({ height: '0x1' }));
    await call(rpc, 'eth_blockNumber');
  });
  afterEach(async () => {
    await service.close();
    await engines.close();
  });

  const waiting = (): number[] => timers.map(({ ms }) => ms).filter((ms) => ms < 900_000);
  const head = (): Promise<Block> => call<Block>(rpc, 'eth_getBlockByNumber', 'latest', false);
  /** Lets the interval pass once, and waits for the block. */
  async function pass(ms: number): Promise<Block> {
    const { number } = await head();
    const due = timers.find((timer) => timer.ms === ms);
    assert.ok(due, `a timer of ${ms} ms`);
    timers = timers.filter((timer) => timer !== due);
    due.callback();
    const block = await eventually(async () => {
      const last = await head();
      assert.notEqual(last.number, number, service.warnings.join());
      return last;
    });
    assert.deepEqual(service.warnings, []);
    // A change is processed after the block is in the journal.
    await call(rpc, 'anvil_setBalance', ALICE.address, '0xde0b6b3a7640000');
    return block;
  }
  const send = (): Promise<string> =>
    call(rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });

  it('mines pending transactions at the interval, and reads see the block', async () => {
    assert.equal(await call(rpc, 'anvil_getIntervalMining'), null);
    assert.equal(await call(rpc, 'evm_setIntervalMining', 5), null);
    assert.deepEqual(waiting(), [5_000]);
    assert.equal(await call(rpc, 'anvil_getIntervalMining'), 5);
    assert.equal(await call(rpc, 'anvil_getAutomine'), false);
    const hash = await send();
    const count = () => call(rpc, 'eth_getTransactionCount', ALICE.address, 'latest');
    assert.equal(await call(rpc, 'eth_getTransactionReceipt', hash), null);
    assert.equal(await count(), '0x0');
    const block = await pass(5_000);
    assert.deepEqual(block.transactions, [hash]);
    assert.equal(await count(), '0x1');
    assert.deepEqual((await pass(5_000)).transactions, []);
  });

  it('ends with an interval of 0, and with automine', async () => {
    await call(rpc, 'anvil_setIntervalMining', '0x5');
    await call(rpc, 'hardhat_setIntervalMining', 0);
    assert.deepEqual(waiting(), []);
    assert.equal(await call(rpc, 'anvil_getAutomine'), false);
    await call(rpc, 'evm_setIntervalMining', 7);
    await call(rpc, 'evm_setAutomine', false);
    assert.deepEqual(waiting(), [7_000]);
    await call(rpc, 'evm_setAutomine', true);
    assert.deepEqual(waiting(), []);
    assert.equal(await call(rpc, 'anvil_getIntervalMining'), null);
    const hash = await send();
    assert.deepEqual((await head()).transactions, [hash]);
  });

  it('continues after a new engine, with the same blocks', async () => {
    await call(rpc, 'evm_setIntervalMining', 5);
    await send();
    await pass(5_000);
    await send();
    const before = await pass(5_000);
    await service.engine.stop();
    assert.deepEqual(waiting(), [], 'a sleeping fork mines nothing');
    assert.deepEqual(await head(), before);
    assert.equal(await call(rpc, 'anvil_getIntervalMining'), 5);
    assert.equal(Number((await pass(5_000)).number), Number(before.number) + 1);
  });

  it('is a setting that a revert restores', async () => {
    const snapshot = await call(rpc, 'evm_snapshot');
    await call(rpc, 'evm_setIntervalMining', 5);
    await pass(5_000);
    await call(rpc, 'evm_revert', snapshot);
    assert.deepEqual(waiting(), []);
    assert.equal(await call(rpc, 'anvil_getAutomine'), true);
  });

  it('rejects an invalid interval', async () => {
    for (const value of [undefined, null, -1, 1.5, 'soon', {}, 2_000_001]) {
      const { code, message } = await refusal(rpc, 'evm_setIntervalMining', value);
      assert.equal(code, -32602, JSON.stringify(value));
      assert.match(message, /^the interval is .*; accepted: /);
    }
    assert.deepEqual(waiting(), []);
  });
});
