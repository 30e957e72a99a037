import assert from 'node:assert/strict';
import { AbiCoder, concat, toBeHex, zeroPadBytes, ZeroAddress } from 'ethers';
import type { NestedCall } from '../../../../server/api/decoding';
import { account } from '../../../support/analysis';
import { encode, paramsOf, TOKEN, transfer } from '../../../support/nested-calls';

const EXECUTE = 'function execute(bytes32 mode, bytes executionCalldata)';
const coder = AbiCoder.defaultAbiCoder();
const CALLS = '(address,uint256,bytes)[]';
const mode = (start: string): string => zeroPadBytes(start, 32);
const executed = (start: string, data: string, item = EXECUTE): readonly NestedCall[] | undefined =>
  paramsOf(item, [mode(start), data])[1]?.nested;
const shown = (calls: readonly NestedCall[] | undefined) =>
  calls?.map(({ path, to, value, name, operation, mayFail }) =>
    [path, to, value, name, operation, mayFail].map((one) => one ?? ''),
  );
const WEI = '0.000000000000000001';

describe('executions of smart accounts', () => {
  it('are one call (ERC-7579)', () => {
    const single = concat([TOKEN, toBeHex(1n, 32), transfer]);
    assert.deepEqual(shown(executed('0x0000', single)), [['', TOKEN, WEI, 'transfer', '', '']]);
    assert.deepEqual(shown(executed('0x0001', single)), [['', TOKEN, WEI, 'transfer', '', true]]);
    const paid = concat([TOKEN, toBeHex(1n, 32)]);
    assert.deepEqual(shown(executed('0x0000', paid)), [['', TOKEN, WEI, '', '', '']]);
    const byExecutor = 'function executeFromExecutor(bytes32 mode, bytes executionCalldata)';
    assert.deepEqual(
      executed('0x0000', single, byExecutor)?.[0]?.signature,
      'transfer(address,uint256)',
    );
  });

  it('are a delegated call', () => {
    assert.deepEqual(shown(executed('0xff00', concat([TOKEN, transfer]))), [
      ['', TOKEN, '', 'transfer', 'DELEGATECALL', ''],
    ]);
  });

  it('are a batch, where the zero address is the account (EIP-7821)', () => {
    const calls = [
      [TOKEN, 0n, transfer],
      [ZeroAddress, 1n, encode('function pause()', [])],
    ];
    const expected = [
      ['[0]', TOKEN, '0', 'transfer', '', ''],
      ['[1]', account(0xb0b), WEI, 'pause', '', ''],
    ];
    const batch = coder.encode([CALLS], [calls]);
    assert.deepEqual(shown(executed('0x0100', batch)), expected);
    assert.deepEqual(shown(executed('0x01000000000078210001', batch)), expected);
    const withData = coder.encode([CALLS, 'bytes'], [calls, '0x1234']);
    assert.deepEqual(shown(executed('0x01000000000078210001', withData)), expected);
    assert.equal(executed('0x0100', withData), undefined);
    assert.deepEqual(
      shown(executed('0x0101', batch))?.map((one) => one.at(-1)),
      [true, true],
    );
  });

  it('are several batches', () => {
    const one = coder.encode([CALLS, 'bytes'], [[[TOKEN, 0n, transfer]], '0x']);
    const batches = coder.encode(['bytes[]'], [[one, one]]);
    assert.deepEqual(
      shown(executed('0x01000000000078210002', batches))?.map(([path, , , name]) => [path, name]),
      [
        ['[0][0]', 'transfer'],
        ['[1][0]', 'transfer'],
      ],
    );
  });

  it('are not read from other modes and forms', () => {
    for (const [start, data] of [
      ['0x0200', concat([TOKEN, toBeHex(1n, 32), transfer])],
      ['0x0000', '0x1234'],
      ['0xff00', '0x1234'],
      ['0x0100', transfer],
      ['0x01000000000078210002', '0x'],
    ] as const) {
      assert.equal(executed(start, data), undefined, start);
    }
  });

  it('have what follows their arguments', () => {
    const suffix = '0x62617365617070070080218021802180218021802180218021';
    const data = concat([TOKEN, toBeHex(0n, 32), transfer, suffix]);
    assert.deepEqual(executed('0x0000', data)?.[0]?.trailing, [
      { data: suffix, kind: 'attribution', codes: ['baseapp'] },
    ]);
    const inner = concat([
      encode('function execute(address to, uint256 value, bytes data)', [TOKEN, 0n, transfer]),
      suffix,
    ]);
    const [call] =
      paramsOf('function run(address sender, bytes callData)', [TOKEN, inner])[1]?.nested ?? [];
    assert.deepEqual([call?.name, call?.trailing?.[0]?.codes], ['execute', ['baseapp']]);
    assert.equal(call?.callParams[2]?.nested?.[0]?.name, 'transfer');
  });
});
