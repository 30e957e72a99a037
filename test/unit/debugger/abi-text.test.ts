import assert from 'node:assert/strict';
import { abiText } from '../../../server/debugger/languages/solidity/values/abi-text';

describe('decoded arguments in the form of Solidity', () => {
  const most = (2n ** 256n - 1n).toString();
  for (const [type, value, text = value] of [
    ['uint256', most],
    ['int8', '-5'],
    ['bool', 'true'],
    ['address', `0x${'ab'.repeat(20)}`],
    ['bytes4', '0xdeadbeef'],
    ['bytes', '0x', 'hex""'],
    ['bytes', '0xc0ffee', 'hex"c0ffee"'],
    ['string', '', '""'],
    ['string', 'a "b" \\ \n ü', '"a \\"b\\" \\\\ \\n ü"'],
    ['uint256[]', '["1","3"]', '[1, 3]'],
    ['uint256[]', '[]', '[]'],
    ['string[2]', '["a","b"]', '["a", "b"]'],
    ['bytes[]', '["0x01","0x"]', '[hex"01", hex""]'],
    ['bool[][]', '[[true],[]]', '[[true], []]'],
    ['(address,bool,bytes)[]', '[["0x01",true,"0x02"]]', '[(0x01, true, hex"02")]'],
    [
      '(string,(uint256,bytes)[])',
      '{"name":"x","parts":[{"id":"7","data":"0x09"}]}',
      '{name: "x", parts: [{id: 7, data: hex"09"}]}',
    ],
  ] as const) {
    it(`${type}: ${JSON.stringify(value).slice(0, 40)}`, () => {
      assert.equal(abiText(type, value), text);
    });
  }
});
