import assert from 'node:assert/strict';
import { packedTransactions } from '../../../../server/analysis/decoding/multi-send';
import type { Hex } from '../../../../server/api/primitives';

describe('packedTransactions', () => {
  const one = `${'00'.repeat(21)}${'00'.repeat(64)}`;
  const packed = (count: number): Hex => `0x${one.repeat(count)}`;

  it('reads up to 1,000 transactions', () => {
    assert.equal(packedTransactions(packed(1_000)).length, 1_000);
    assert.deepEqual(packedTransactions(packed(1_001)), []);
    assert.deepEqual(packedTransactions('0x'), []);
  });
});
