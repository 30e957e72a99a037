import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { decodeRevert } from '../../../../server/analysis/decoding/revert';
import type { Hex } from '../../../../server/api/primitives';
import { abi, account } from '../../../support/analysis';

const known = new Interface([
  'error Error(string)',
  'error Panic(uint256)',
  'error TooLittle(uint256 received, uint256 wanted)',
  'error Nothing()',
  'error Unnamed(address, bytes)',
]);
const custom = abi(
  'error TooLittle(uint256 received, uint256 wanted)',
  'error Nothing()',
  'error Unnamed(address, bytes)',
);
const revert = (name: string, ...args: unknown[]) =>
  decodeRevert(known.encodeErrorResult(name, args) as Hex, (selector) => custom.errors(selector));

describe('decodeRevert', () => {
  it('reads Error(string) as its text', () => {
    assert.equal(
      revert('Error', 'Self-delegation is disallowed.'),
      'Self-delegation is disallowed.',
    );
    assert.equal(revert('Error', ''), '');
  });

  it('reads Panic as text with its code', () => {
    assert.equal(revert('Panic', 0x11), 'Panic: arithmetic overflow or underflow (0x11)');
    assert.equal(revert('Panic', 1), 'Panic: assertion failed (0x01)');
    assert.equal(revert('Panic', 0x99), 'Panic: unknown code (0x99)');
  });

  it('reads custom errors with their arguments', () => {
    assert.equal(revert('TooLittle', 3, 4), 'TooLittle(received: 3, wanted: 4)');
    assert.equal(revert('Nothing'), 'Nothing()');
    assert.equal(revert('Unnamed', account(1), '0xAB'), `Unnamed(${account(1)}, 0xab)`);
  });

  it('returns undefined for other data', () => {
    const none = (data: Hex) => decodeRevert(data, (selector) => custom.errors(selector));
    for (const data of ['0x', '0x08c379', '0xdeadbeef', '0x08c379a0ff', '0x4e487b71'] as const) {
      assert.equal(none(data), undefined, data);
    }
  });
});
