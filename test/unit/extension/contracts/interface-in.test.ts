import assert from 'node:assert/strict';
import { interfaceIn } from '../../../../extension/contracts/interface-in';

const PAY = {
  type: 'function',
  name: 'pay',
  outputs: [],
  stateMutability: 'nonpayable',
  inputs: [{ name: 'amount', type: 'uint256' }],
};
const JSON_ABI = JSON.stringify([PAY]);

describe('a file with an interface', () => {
  it('is an ABI, an artifact, an answer of Etherscan, or declarations', () => {
    for (const [text, name] of [
      [JSON_ABI, ''],
      [JSON.stringify({ contractName: 'Shop', abi: [PAY] }), 'Shop'],
      [JSON.stringify({ status: '1', message: 'OK', result: JSON_ABI }), ''],
      [JSON.stringify({ status: '1', result: [{ ABI: JSON_ABI, ContractName: 'Shop' }] }), 'Shop'],
      ['// the shop\nfunction pay(uint256 amount);\n', ''],
      [JSON.stringify(['function pay(uint256 amount)']), ''],
    ] as const) {
      const found = interfaceIn(text);
      assert.ok(found, text);
      assert.equal(found.name, name, text);
      assert.deepEqual(
        found.abi.map((item) => [item.type, item.name, item.inputs]),
        [['function', 'pay', PAY.inputs]],
      );
    }
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'null',
      '{}',
      'hello',
      'function f(uint257)',
      JSON.stringify({ status: '0', result: 'Contract source code not verified' }),
    ]) {
      assert.equal(interfaceIn(text), undefined, text);
    }
  });
});
