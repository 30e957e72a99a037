import assert from 'node:assert/strict';
import { isStateProved } from '../../../../server/forks/life/fork-record';
import { word } from '../../../support/analysis';

describe('the state of a fork inside a block', () => {
  const replay = { faithful: true, executor: 'process' } as const;
  const hashes = { base: word(1), height: word(2) };

  it('is proved once for a block that is known by its hash', () => {
    assert.equal(isStateProved({ replay, hashes }), true);
  });

  it('is compared again if it differed, if another executor made it, or if the block may be another', () => {
    assert.equal(isStateProved({ replay: undefined, hashes }), false);
    assert.equal(isStateProved({ replay: { ...replay, faithful: false }, hashes }), false);
    assert.equal(isStateProved({ replay: { ...replay, executor: 'anvil' }, hashes }), false);
    assert.equal(isStateProved({ replay, hashes: { base: word(1) } }), false);
    assert.equal(isStateProved({ replay, hashes: undefined }), false);
  });
});
