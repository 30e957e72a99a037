import assert from 'node:assert/strict';
import { getCreateAddress } from 'ethers';
import { debug, golden } from './golden';
import type { Scene } from './stage';

/** PUSH1 5, PUSH1 4, ADD, PUSH1 0, SSTORE, PUSH1 0, SLOAD, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: 9 in slot 0. */
const NINE = '600560040160005560005460005260206000f3';

/** Code of no known compiler: it has no source map. */
const alone: Scene = {
  file: 'Arithmetic.sol',
  codes: { nine: NINE },
  transaction: { to: 'nine', data: '0x' },
};

describe('golden scripts of code without source', () => {
  golden('instructions, and the stack', alone, [
    {
      instructions: 2,
      at: 'nowhere',
      op: 'ADD',
      stack: ['nine:?'],
      locals: 'unavailable, because its source is not known',
      words: ['0x5', '0x4'],
    },
    { instructions: 2, op: 'SSTORE', words: ['0x9', '0x0'] },
    { instructionsBack: 1, op: 'PUSH1', words: ['0x9'] },
    { instructions: 4, op: 'PUSH1', words: ['0x9'], values: { 'msg.sender': 'alice' } },
    { continue: 'end', op: 'RETURN', words: ['0x20', '0x0'] },
    { reverse: 'start', op: 'PUSH1', words: [] },
  ]);

  golden(
    'a clone of a contract',
    {
      file: 'Arithmetic.sol',
      deploy: { numbers: ['Arithmetic'] },
      codes: {
        clone: `363d3d373d3d3d363d73${getCreateAddress({ from: `0x${'a0'.repeat(20)}`, nonce: 0 }).slice(2)}5af43d82803e903d91602b57fd5bf3`,
      },
      transaction: { to: 'clone', call: 'factorial(uint256)', arguments: [2] },
    },
    [
      {
        goto: 'Arithmetic.sol:9',
        stack: ['Arithmetic.factorial(n: 2) in the storage of clone:9', 'clone of Arithmetic:?'],
        callers: [{ locals: 'unavailable, because it is a clone (EIP-1167), which has no source' }],
      },
      { continue: 'end', op: 'RETURN' },
    ],
  );

  it('says why there are no lines', async () => {
    const { recording } = await debug(alone);
    const [contract] = recording.contracts;
    assert.deepEqual([contract!.hasLines, contract!.hasLocals, contract!.name], [false, false, '']);
    assert.equal(
      contract!.unavailable,
      `no source with a source map is known for the code of ${contract!.address}: compile it in the workspace, or verify it on Sourcify`,
    );
  });

  golden(
    'between lines of a caller whose source is known',
    {
      file: 'Failures.sol',
      deploy: { reader: ['Reader'] },
      codes: { nine: NINE },
      transaction: { to: 'reader', call: 'swallow(address)', arguments: ['nine'] },
    },
    [
      { goto: 'Failures.sol:36', values: { ok: 'true', answer: `hex"${'9'.padStart(64, '0')}"` } },
      {
        // The function is pure, so that its call must not store anything.
        continue: { failure: 'all' },
        at: 'nowhere',
        op: 'SSTORE',
        stack: ['nine:?', 'Reader.nested(oracle: nine):43', 'Reader.swallow(oracle: nine):37'],
        callers: [{ locals: { oracle: 'nine' } }],
      },
      {
        continue: { failure: 'all' },
        at: 'Failures.sol:43',
        stack: ['Reader.nested(oracle: nine):43', 'Reader.swallow(oracle: nine):37'],
      },
      { continue: 'end', values: { good: '33' } },
    ],
  );
});
