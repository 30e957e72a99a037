import assert from 'node:assert/strict';
import { call, refusal } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { ALICE } from './fork-upstream';

const LEDGER = `0x${'1e'.repeat(20)}`;
/**
 * TIMESTAMP PUSH1 slot 0 SLOAD EQ: the same second changes nothing; a later one is written to slot 0 and slot TIMESTAMP, which costs 20,000
 * gas more. With call data it reverts with the time.
 */
const LEDGER_CODE = '0x3615600c57425f5260205ffd5b5f544214601c57425f5560014255005b00';

describe('calls on the next block', () => {
  const on = useForkAddress();
  const time = async (block: string): Promise<number> => {
    const { timestamp } = await call<{ timestamp: string }>(
      on.rpc,
      'eth_getBlockByNumber',
      block,
      false,
    );
    return Number(timestamp);
  };

  beforeEach(() => call(on.rpc, 'anvil_setCode', LEDGER, LEDGER_CODE));

  it('are executed later than the newest block, however little time has passed', async () => {
    const timeRequest = { to: LEDGER, data: '0x01' };
    for (let i = 0; i < 3; i++) {
      await on.increment();
      const newest = await time('latest');
      const { data } = await refusal(on.rpc, 'eth_call', timeRequest, 'pending');
      assert.ok(Number(data) > newest, `${Number(data)} after ${newest}`);
    }
  });

  it('are estimated so that the gas suffices in a block of the next second', async () => {
    const from = ALICE.address;
    for (let i = 0; i < 4; i++) {
      const gas = await call(on.rpc, 'eth_estimateGas', { from, to: LEDGER });
      const hash = await call(on.rpc, 'eth_sendTransaction', { from, to: LEDGER, gas });
      assert.equal((await on.receiptOf(hash)).status, '0x1', `transaction ${i}`);
    }
  });

  it('have enough gas if a transaction names none', async () => {
    for (let i = 0; i < 4; i++) {
      const hash = await call(on.rpc, 'eth_sendTransaction', { from: ALICE.address, to: LEDGER });
      assert.equal((await on.receiptOf(hash)).status, '0x1', `transaction ${i}`);
    }
  });

  it('use the time that is set for the next block or named by the caller', async () => {
    const newest = await time('latest');
    await call(on.rpc, 'evm_setNextBlockTimestamp', newest + 500);
    const timeOfEstimate = async (...overrides: object[]): Promise<number> => {
      const params = overrides.length > 0 ? [null, ...overrides] : [];
      const timeRequest = { to: LEDGER, data: '0x01' };
      return Number(
        (await refusal(on.rpc, 'eth_estimateGas', timeRequest, 'pending', ...params)).data,
      );
    };
    assert.equal(await timeOfEstimate(), newest + 500);
    assert.equal(await timeOfEstimate({ time: '0x80000000' }), 0x80000000);
    assert.equal(await timeOfEstimate({ baseFee: '0x0' }), newest + 500);
  });
});
