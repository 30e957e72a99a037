import assert from 'node:assert/strict';
import { isKeepable, requireReadable } from '../../../../server/chains/upstream/check-response';

const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const ADDRESS = `0x${'aa'.repeat(20)}`;
const BLOCK = { hash: hash('b'), number: '0x5', timestamp: '0x1', miner: ADDRESS, gasLimit: '0x9' };
const PLACE = { blockHash: hash('b'), blockNumber: '0x5', transactionIndex: '0x0' };
const TRANSACTION = {
  ...PLACE,
  hash: hash('1'),
  from: ADDRESS,
  to: null,
  nonce: '0x0',
  value: '0x0',
  gas: '0x9',
  input: '0x',
};
const RECEIPT = {
  ...PLACE,
  transactionHash: hash('1'),
  gasUsed: '0x9',
  cumulativeGasUsed: '0x9',
  status: null,
  logs: [{ address: ADDRESS, topics: [hash('2')], data: '0x00' }],
};

describe('an upstream answer', () => {
  const keepable = (method: string, asked: unknown, answer: unknown): boolean =>
    isKeepable({ method, params: [asked] }, answer);

  it('is kept if it has the form of its method and is about the requested item', () => {
    for (const [method, asked, answer] of [
      ['eth_getBalance', ADDRESS, '0x0'],
      ['eth_getStorageAt', ADDRESS, hash('0')],
      ['eth_getCode', ADDRESS, '0x'],
      ['eth_getLogs', {}, []],
      ['eth_getBlockByNumber', '0x05', BLOCK],
      ['eth_getBlockByHash', hash('B'), BLOCK],
      ['eth_getTransactionByHash', hash('1'), TRANSACTION],
      ['eth_getTransactionReceipt', hash('1'), RECEIPT],
      ['eth_getBlockReceipts', '0x5', [RECEIPT]],
      ['eth_feeHistory', '0x5', 'whatever that is'],
    ] as const) {
      assert.equal(keepable(method, asked, answer), true, method);
    }
  });

  it('is not kept if it is malformed', () => {
    const { logs, ...noLogs } = RECEIPT;
    for (const [method, asked, answer] of [
      ['eth_getBalance', ADDRESS, {}],
      ['eth_getBalance', ADDRESS, 'zz'],
      ['eth_getStorageAt', ADDRESS, 17],
      ['eth_getCode', ADDRESS, '0x600'],
      ['eth_call', {}, 'out of gas'],
      ['eth_getLogs', {}, {}],
      ['eth_getBlockByNumber', '0x5', { ...BLOCK, timestamp: {} }],
      ['eth_getTransactionByHash', hash('1'), { ...TRANSACTION, from: undefined }],
      ['eth_getTransactionReceipt', hash('1'), noLogs],
      [
        'eth_getTransactionReceipt',
        hash('1'),
        { ...RECEIPT, logs: [{ ...logs[0], topics: null }] },
      ],
      ['eth_getBlockReceipts', '0x5', [RECEIPT, null]],
    ] as const) {
      assert.equal(keepable(method, asked, answer), false, `${method} ${JSON.stringify(answer)}`);
    }
  });

  it('is refused if it is not a value of the state', () => {
    const read = (method: string, answer: unknown) => () => {
      requireReadable('eth', { method, params: [] }, answer);
    };
    read('eth_getCode', '0x')();
    read('eth_getTransactionReceipt', null)();
    read('eth_getCode', `0x${'5b'.repeat(10_000_000)}`)();
    assert.throws(read('eth_getCode', 17), {
      kind: 'upstreamLacksData',
      message: 'the node of eth returned an invalid value: eth_getCode is 17',
    });
    assert.throws(read('eth_getBalance', null), /eth_getBalance is null/);
    assert.throws(read('eth_getStorageAt', 'zzz'), /eth_getStorageAt is "zzz"/);
  });

  it('is not kept if it is about another item', () => {
    assert.equal(keepable('eth_getBlockByNumber', '0x6', BLOCK), false);
    assert.equal(keepable('eth_getBlockByHash', hash('c'), BLOCK), false);
    assert.equal(keepable('eth_getTransactionByHash', hash('2'), TRANSACTION), false);
    assert.equal(keepable('eth_getTransactionReceipt', hash('2'), RECEIPT), false);
  });
});
