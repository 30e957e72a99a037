import assert from 'node:assert/strict';
import { initialText } from '../../../../extension/simulate/initial-text';
import { argumentProblem } from '../../../../server/client/abi-argument';

describe('the first text of an argument', () => {
  for (const [type, text] of [
    ['uint256', '0'],
    ['int8', '0'],
    ['bool', 'false'],
    ['address', `0x${'0'.repeat(40)}`],
    ['string', ''],
    ['bytes', '0x'],
    ['bytes4', '0x00000000'],
    ['uint8[]', '[]'],
    ['address[][]', '[]'],
  ] as const) {
    it(`of ${type} is accepted`, () => {
      assert.equal(initialText({ type }), text);
      assert.equal(argumentProblem({ type }, text), undefined);
    });
  }

  it('is left out of what has members', () => {
    assert.equal(initialText({ type: 'tuple' }), '');
    assert.equal(initialText({ type: 'uint256[2]' }), '');
  });
});
