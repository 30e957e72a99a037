import assert from 'node:assert/strict';
import { AbiCoder, ParamType } from 'ethers';
import { decodeExactly } from '../../../../server/analysis/abi-values/codec';
import { formatValue } from '../../../../server/analysis/abi-values/format';
import type { Hex } from '../../../../server/api/primitives';

/** Formats a value after an encoding and decoding. */
function format(type: string, value: unknown): string {
  const param = ParamType.from(type);
  const coder = AbiCoder.defaultAbiCoder();
  const [decoded] = decodeExactly([param], coder.encode([param], [value]) as Hex) ?? [];
  assert.ok(decoded !== undefined);
  return formatValue(param, decoded);
}

describe('formatValue', () => {
  const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
  for (const [type, value, text] of [
    ['address', ADDRESS, ADDRESS.toLowerCase()],
    ['uint256', 2n ** 256n - 1n, (2n ** 256n - 1n).toString()],
    ['uint256', 0n, '0'],
    ['int24', -887272, '-887272'],
    ['bool', true, 'true'],
    ['bool', false, 'false'],
    ['bytes', '0xABCD', '0xabcd'],
    ['bytes', '0x', '0x'],
    ['bytes4', '0xDEADBEEF', '0xdeadbeef'],
    ['string', 'He said "No" \n ☂', 'He said "No" \n ☂'],
    ['string', '', ''],
    ['uint256[]', [1n, 2n], '["1","2"]'],
    ['uint256[]', [], '[]'],
    ['bool[2]', [true, false], '[true,false]'],
    ['string[]', ['a"b'], '["a\\"b"]'],
    ['uint8[][]', [[1], []], '[["1"],[]]'],
    [
      'tuple(address to, uint256 value)',
      [ADDRESS, 7n],
      `{"to":"${ADDRESS.toLowerCase()}","value":"7"}`,
    ],
    ['tuple(uint256, bool)', [7n, true], '["7",true]'],
    ['tuple(uint256 a, bool)', [7n, true], '["7",true]'],
    ['tuple(uint256 a, uint256 a)', [7n, 8n], '["7","8"]'],
    ['tuple(tuple(bytes data)[] calls)', [[['0x01']]], '{"calls":[{"data":"0x01"}]}'],
  ] as const) {
    it(`formats ${type} as ${text}`, () => {
      assert.equal(format(type, value), text);
    });
  }
});
