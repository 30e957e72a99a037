import assert from 'node:assert/strict';
import { containsOpcode, OPCODES } from '../../../../server/execution/prefix/opcodes';

describe('containsOpcode', () => {
  it('finds the opcode', () => {
    assert.equal(containsOpcode('0x4460015500', OPCODES.PREVRANDAO), true);
    assert.equal(containsOpcode('0x5f44', OPCODES.PREVRANDAO), true);
  });

  it('ignores pushed data', () => {
    assert.equal(containsOpcode('0x604400', OPCODES.PREVRANDAO), false);
    assert.equal(containsOpcode(`0x7f${'44'.repeat(32)}00`, OPCODES.PREVRANDAO), false);
    assert.equal(containsOpcode(`0x7f${'44'.repeat(32)}44`, OPCODES.PREVRANDAO), true);
  });

  it('accepts code that ends in the middle of a push', () => {
    assert.equal(containsOpcode('0x', OPCODES.PREVRANDAO), false);
    assert.equal(containsOpcode('0x6144', OPCODES.PREVRANDAO), false);
  });
});
