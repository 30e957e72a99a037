import assert from 'node:assert/strict';
import type { RpcReceipt } from '../../../../server/evm/forms/types';
import { compareReceipts } from '../../../../server/execution/prefix/compare-receipts';

const receipt = (fields: Partial<RpcReceipt> = {}): RpcReceipt => ({
  transactionHash: '0xaa',
  transactionIndex: '0x0',
  blockHash: '0xbb',
  blockNumber: '0x1',
  from: '0x01',
  to: '0x02',
  contractAddress: null,
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  status: '0x1',
  logs: [{ address: '0xAB', topics: ['0x01'], data: '0x' }],
  ...fields,
});

describe('comparing receipts', () => {
  const original = receipt();
  const differenceTo = (actual?: RpcReceipt) =>
    compareReceipts(actual ? [actual] : [], [original]).firstDifference;

  it('finds no difference if status, gas and logs are equal', () => {
    assert.deepEqual(compareReceipts([receipt({ blockHash: '0xcc' })], [original]), { applied: 1 });
    assert.equal(
      differenceTo(receipt({ logs: [{ address: '0xab', topics: ['0x01'], data: '0x' }] })),
      undefined,
    );
  });

  it('names the first difference', () => {
    assert.equal(
      differenceTo(receipt({ status: '0x0' })),
      'transaction 0 (0xaa): status 0x0 instead of 0x1',
    );
    assert.equal(
      differenceTo(receipt({ gasUsed: '0x5209' })),
      'transaction 0 (0xaa): gas used 21001 instead of 21000',
    );
    assert.equal(differenceTo(receipt({ logs: [] })), 'transaction 0 (0xaa): 0 logs instead of 1');
    assert.equal(
      differenceTo(receipt({ logs: [{ address: '0xab', topics: ['0x02'], data: '0x' }] })),
      'transaction 0 (0xaa): log 0 differs',
    );
    assert.equal(differenceTo(), 'transaction 0 (0xaa): it was not executed at its position');
  });

  it('ignores the status if the original has none', () => {
    const byzantium = receipt();
    delete byzantium.status;
    assert.deepEqual(compareReceipts([original], [byzantium]), { applied: 1 });
  });
});
