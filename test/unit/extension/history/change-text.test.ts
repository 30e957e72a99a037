import assert from 'node:assert/strict';
import type { BisectChange } from '../../../../server/api/bisect';
import { changeText } from '../../../../extension/history/change-text';

const A = `0x${'aa'.repeat(20)}`;
const CHANGE: BisectChange = {
  blockNumber: 1_234,
  blockHash: '0x',
  timestamp: 0,
  transaction: { hash: '0x1', position: 7, from: A, to: A },
  before: { value: '5', type: 'uint256' },
  after: { value: '6', type: 'uint256' },
  state: [],
  writes: [],
  payments: [],
  executor: 'process',
};
const write = (fields: object): BisectChange['writes'][number] =>
  Object.assign(
    { address: A, slot: '0x', step: 1, contract: 'Vault', function: 'pay', text: '' },
    fields,
  );

describe('a change in a sentence', () => {
  it('has the values, the place, and the code that wrote', () => {
    const changed = 'total changed from 5 to 6 in block 1,234, by transaction 7 of it.';
    assert.equal(changeText('total', CHANGE), changed);
    const placed = write({ file: 'Vault.sol', line: 21 });
    assert.equal(
      changeText('total', { ...CHANGE, writes: [placed] }),
      `${changed} It is written at Vault.sol:21 in Vault.pay.`,
    );
    assert.equal(
      changeText('total', { ...CHANGE, writes: [write({})] }),
      `${changed} It is written at Vault.pay.`,
    );
    const payment = { nodeId: 3, from: A, to: A, value: '1', contract: 'Vault' };
    assert.equal(
      changeText('total', { ...CHANGE, payments: [{ ...payment, file: 'Vault.sol', line: 9 }] }),
      `${changed} It is paid at Vault.sol:9.`,
    );
    assert.equal(changeText('total', { ...CHANGE, payments: [payment] }), changed);
  });

  it('says where there is no value, and where no transaction changed it', () => {
    const before = { value: '', type: '', unavailable: 'there is no code' };
    assert.equal(
      changeText('total', { ...CHANGE, before, transaction: null }),
      'total changed from no value to 6 with block 1,234, by no transaction of it.',
    );
  });
});
