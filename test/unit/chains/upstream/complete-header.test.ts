import assert from 'node:assert/strict';
import { encodeRlp, keccak256 } from 'ethers';
import { withEngineFields } from '../../../../server/chains/upstream/complete-header';

describe('a header for an engine', () => {
  it('has the fields that the node omits or returns as null, and keeps the others', () => {
    const given = { hash: '0x1', number: '0x2', difficulty: '0x7', logsBloom: null };
    const { hash, number, difficulty, logsBloom, sha3Uncles, transactionsRoot, uncles } =
      withEngineFields(given) as Record<string, unknown>;
    assert.deepEqual(
      [hash, number, difficulty, logsBloom, sha3Uncles, transactionsRoot, uncles],
      [
        '0x1',
        '0x2',
        '0x7',
        `0x${'0'.repeat(512)}`,
        keccak256(encodeRlp([])),
        keccak256(encodeRlp('0x')),
        [],
      ],
    );
  });

  it('is not made of another answer', () => {
    for (const answer of [null, '0x1', { number: '0x1' }]) {
      assert.equal(withEngineFields(answer), answer);
    }
  });
});
