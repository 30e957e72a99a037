import assert from 'node:assert/strict';
import { concat } from 'ethers';
import { decodePrecompile } from '../../../../server/analysis/decoding/precompiles';
import type { Hex } from '../../../../server/api/primitives';
import { account, frame, word } from '../../../support/analysis';

describe('decodePrecompile', () => {
  it('reads ecRecover with an empty answer', () => {
    const input = concat([word(0xaaa), word(27), word(1), word(2)]) as Hex;
    const decoded = decodePrecompile(
      frame({ to: account(1), input, output: word(account(0x5167)) }),
    );
    assert.deepEqual(decoded, {
      name: 'ecRecover',
      signature: 'ecRecover(bytes32,uint8,bytes32,bytes32)',
      callParams: [
        { name: 'hash', type: 'bytes32', value: word(0xaaa) },
        { name: 'v', type: 'uint8', value: '27' },
        { name: 'r', type: 'bytes32', value: word(1) },
        { name: 's', type: 'bytes32', value: word(2) },
      ],
      returnParams: [{ name: 'signer', type: 'address', value: account(0x5167) }],
      constructorArguments: '',
      source: 'built-in',
    });
    assert.deepEqual(decodePrecompile(frame({ to: account(1), input }))?.returnParams, []);
    assert.equal(decodePrecompile(frame({ to: account(1), input: `${input}00` })), null);
  });

  it('shows hashed data of whole words, and no output of a failed call', () => {
    const hashed = frame({
      to: account(2),
      input: concat([word(1), word(2)]) as Hex,
      output: word(9),
    });
    const { callParams, returnParams, signature } = decodePrecompile(hashed)!;
    assert.equal(signature, 'sha256(bytes32[2])');
    const value = `["${word(1)}","${word(2)}"]`;
    assert.deepEqual(callParams, [{ name: 'data', type: 'bytes32[2]', value }]);
    assert.deepEqual(returnParams, [{ name: '', type: 'bytes32', value: word(9) }]);
    assert.deepEqual(decodePrecompile({ ...hashed, error: 'out of gas' })?.returnParams, []);
    const empty = decodePrecompile(frame({ to: account(4) }));
    assert.deepEqual([empty?.signature, empty?.callParams], ['identity()', []]);
    assert.equal(decodePrecompile({ ...hashed, input: '0x616263' }), null);
  });

  it('returns null for precompiles whose input has a format of its own', () => {
    assert.equal(decodePrecompile(frame({ to: account(5), input: word(1) })), null);
    assert.equal(decodePrecompile(frame({ to: null })), null);
  });
});
