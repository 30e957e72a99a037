import assert from 'node:assert/strict';
import { encodeAbiParameters, encodeErrorResult, parseAbi, type AbiFunction } from 'viem';
import { answerOf, failureOf } from '../../../../extension/contracts/answer-text';
import { ForkRpcError } from '../../../../server/client/fork-rpc';

const ALICE = `0x${'a1'.repeat(20)}` as const;

function answer(signature: string, values: readonly unknown[]): string {
  const [abi] = parseAbi([signature]) as unknown as [AbiFunction];
  return answerOf(abi, encodeAbiParameters(abi.outputs, values)).text;
}

describe('the answer of a function', () => {
  it('has grouped numbers, and texts in quotes', () => {
    assert.equal(answer('function a() view returns (uint256)', [1_000_000n]), '1,000,000');
    assert.equal(answer('function a() view returns (int8)', [-5]), '-5');
    assert.equal(answer('function a() view returns (uint256)', [2n ** 256n - 1n]), 'max uint256');
    assert.equal(answer('function a() view returns (bool)', [true]), 'true');
    assert.equal(answer('function a() view returns (string)', ['a "b"']), '"a \\"b\\""');
    assert.equal(answer('function a() view returns (bytes4)', ['0x01020304']), '0x01020304');
    assert.match(answer('function a() view returns (address)', [ALICE]), /^0x[aA]1/);
  });

  it('names the members of structs and of several values', () => {
    assert.equal(
      answer('function a() view returns (uint256 price, bool)', [5_000n, false]),
      '(price: 5,000, false)',
    );
    const [abi] = parseAbi([
      'struct Bid { uint256 price; uint8[] ids; }',
      'function a() view returns (Bid[])',
    ]) as unknown as [AbiFunction];
    const data = encodeAbiParameters(abi.outputs, [[{ price: 7n, ids: [1, 2] }]]);
    assert.equal(answerOf(abi, data).text, '[(price: 7, ids: [1, 2])]');
  });

  it('is bounded, and shows invisible characters', () => {
    const many = Array.from({ length: 30 }, () => 1n);
    assert.match(answer('function a() view returns (uint256[])', [many]), /^\[(1, ){20}…\]$/);
    const long = answer('function a() view returns (string)', ['x'.repeat(5_000)]);
    assert.equal(long.length, 501);
    assert.equal(answer('function a() view returns (string)', ['a\u202eb']), '"a�b"');
  });

  it('is a failure where the address has no such function', () => {
    const [abi] = parseAbi(['function a() view returns (uint256)']) as unknown as [AbiFunction];
    assert.deepEqual(answerOf(abi, '0x'), {
      text: 'no answer: the address has no such function',
      isFailure: true,
    });
    assert.equal(answerOf(abi, '0x12').isFailure, true);
    const [nothing] = parseAbi(['function a()']) as unknown as [AbiFunction];
    assert.deepEqual(answerOf(nothing, '0x'), { text: 'done', isFailure: false });
  });
});

describe('the failure of a call', () => {
  const abi = parseAbi(['error TooMuch(uint256 wanted, address who)']);
  const failed = (data: unknown): string =>
    failureOf(abi, new ForkRpcError(3, 'execution reverted', data)).text;

  it("is the contract's own error with its arguments, or its reason", () => {
    const args = [1_000n, ALICE] as const;
    const data = encodeErrorResult({ abi, errorName: 'TooMuch', args });
    assert.match(failed(data), /^reverts: TooMuch\(wanted: 1,000, who: 0x[0-9a-fA-F]{40}\)$/);
    const reason = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      errorName: 'Error',
      args: ['unlucky'],
    });
    assert.equal(failed(reason), 'reverts: unlucky');
  });

  it('is what the fork says where the error is not known', () => {
    assert.equal(failed('0x12345678'), 'execution reverted');
    assert.equal(failed('0x'), 'execution reverted');
    assert.equal(failed(undefined), 'execution reverted');
    assert.equal(failureOf(abi, new Error('gone')).text, 'gone');
  });
});
