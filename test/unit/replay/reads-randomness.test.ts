import assert from 'node:assert/strict';
import { readsRandomness } from '../../../server/replay/reads-randomness';

describe('readsRandomness', () => {
  it('finds the opcode', () => {
    assert.equal(readsRandomness('0x4460015500'), true);
    assert.equal(readsRandomness('0x5f44'), true);
  });

  it('does not take pushed data for it', () => {
    assert.equal(readsRandomness('0x604400'), false);
    assert.equal(readsRandomness(`0x7f${'44'.repeat(32)}00`), false);
    assert.equal(readsRandomness(`0x7f${'44'.repeat(32)}44`), true);
  });

  it('takes code that ends in the middle of a push', () => {
    assert.equal(readsRandomness('0x'), false);
    assert.equal(readsRandomness('0x6144'), false);
  });
});
