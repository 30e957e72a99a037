import assert from 'node:assert/strict';
import { call, refusal } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const from = ALICE.address;
/** More than any account's balance, so that it cannot be executed. */
const TOO_MUCH = '0xffffffffffffffffffff';

describe('pending transactions of a fork', () => {
  const on = useFork();

  const pool = (): Promise<unknown> => call(on.rpc, 'txpool_content');

  /** Leaves one transaction of ALICE, with her next nonce, in the pool. */
  async function wait(): Promise<string> {
    await call(on.rpc, 'evm_setAutomine', false);
    const hash = await on.increment();
    await call(on.rpc, 'evm_setAutomine', true);
    return hash;
  }

  it('survive a rejected bundle whose block would have contained them', async () => {
    const hash = await wait();
    const before = await pool();
    await refusal(on.rpc, 'eth_sendTransactions', [
      { from: BOB.address, to: COUNTER },
      { from: BOB.address, to: COUNTER, gas: '0xffffffffff' },
    ]);
    assert.deepEqual(await pool(), before);
    await call(on.rpc, 'evm_mine');
    assert.equal((await on.receiptOf(hash)).status, '0x1');
  });

  it('survive a rejected transaction that would replace them', async () => {
    await wait();
    const before = await pool();
    const error = await refusal(on.rpc, 'eth_sendTransaction', {
      from,
      to: COUNTER,
      nonce: '0x1',
      gas: '0x186a0',
      maxFeePerGas: '0x174876e800',
      maxPriorityFeePerGas: '0x3b9aca00',
      value: TOO_MUCH,
    });
    assert.match(error.message, /^insufficient funds /);
    assert.deepEqual(await pool(), before);
  });

  it('survive the rejection of the transaction that they wait for', async () => {
    await call(on.rpc, 'eth_sendTransaction', { from, to: COUNTER, nonce: '0x2' });
    const before = await pool();
    const first = { from, to: COUNTER, nonce: '0x1', gas: '0x186a0', value: TOO_MUCH };
    assert.match((await refusal(on.rpc, 'eth_sendTransaction', first)).message, /^insufficient/);
    assert.deepEqual(await pool(), before);
  });

  it('do not include rejected ones, even with later nonces', async () => {
    const later = { from, to: COUNTER, nonce: '0x5', gas: '0x186a0', value: TOO_MUCH };
    await refusal(on.rpc, 'eth_sendTransaction', later);
    assert.deepEqual(await pool(), { pending: {}, queued: {} });
    assert.equal(await on.counter(), 1);
  });

  it('survive a rejection without a new engine, if no pending transaction was lost', async () => {
    await wait();
    const engines = on.service.started.length;
    const before = await pool();
    const dear = { from: BOB.address, to: COUNTER, gas: '0x186a0', value: TOO_MUCH };
    await refusal(on.rpc, 'eth_sendTransaction', dear);
    assert.deepEqual(await pool(), before);
    assert.equal(on.service.started.length, engines);
  });

  describe('keep a transaction out of its block, which is rejected then,', () => {
    const next = { from, to: COUNTER, gas: '0x186a0', maxPriorityFeePerGas: '0x0' };

    /** The rejected transaction is nowhere, the pending one still waits, and the fork continues. */
    async function refused(waiting: string, transaction: object): Promise<void> {
      const before = await pool();
      const error = await refusal(on.rpc, 'eth_sendTransaction', transaction);
      assert.equal(error.code, -32003);
      assert.match(error.message, /^pending transactions keep it out of its block/);
      assert.deepEqual(await pool(), before);
      assert.equal(await on.head(), 3);
      assert.equal(await on.receiptOf(waiting), null);
    }

    it('if the account cannot pay for the one before it', async () => {
      await call(on.rpc, 'evm_setAutomine', false);
      const dear = { ...next, maxFeePerGas: '0x174876e800' };
      const hash = await call(on.rpc, 'eth_sendTransaction', dear);
      await call(on.rpc, 'evm_setAutomine', true);
      await call(on.rpc, 'anvil_setBalance', from, '0x38d7ea4c68000');
      await refused(hash, { ...next, maxFeePerGas: '0x3b9aca00' });
      await call(on.rpc, 'anvil_setBalance', from, '0xde0b6b3a7640000');
      const later = await call(on.rpc, 'eth_sendTransaction', next);
      const receipts = await Promise.all([on.receiptOf(hash), on.receiptOf(later)]);
      assert.deepEqual(
        receipts.map(({ blockNumber }) => blockNumber),
        ['0x4', '0x4'],
      );
    });

    it('if the one before it is below the base fee', async () => {
      await call(on.rpc, 'evm_setAutomine', false);
      const cheap = { ...next, maxFeePerGas: '0x3b9aca00' };
      const hash = await call(on.rpc, 'eth_sendTransaction', cheap);
      await call(on.rpc, 'evm_setAutomine', true);
      await call(on.rpc, 'anvil_setNextBlockBaseFeePerGas', '0x77359400');
      await refused(hash, { ...next, maxFeePerGas: '0x174876e800' });
    });

    it('if they leave no gas in the block', async () => {
      const hash = await wait();
      await call(on.rpc, 'anvil_setBlockGasLimit', '0x186a0');
      await refused(hash, { ...next, from: BOB.address });
      await call(on.rpc, 'evm_mine');
      assert.equal((await on.receiptOf(hash)).status, '0x1');
    });
  });
});
