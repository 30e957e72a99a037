import assert from 'node:assert/strict';
import {
  findHash,
  hashProblem,
  heightProblem,
  nameProblem,
  parsePosition,
  positionProblem,
} from '../../../../extension/ui/input-rules';

const HASH = `0x${'ab'.repeat(32)}`;

describe('input rules', () => {
  it('accepts a height in every supported form', () => {
    const accepted = [' Safe ', 'latest', '19000123', '19,000,123', '19_000_123', '0x121EB3B'];
    for (const text of [...accepted, '2024-01-13', '2024-01-13 11:20', HASH]) {
      assert.equal(heightProblem(text), undefined, text);
    }
  });

  it('refuses an invalid height', () => {
    for (const text of ['', 'pending', '-1', '1.5', '1e6', '0x', '0xg', '1,2', '1,00', '12abc']) {
      assert.match(heightProblem(text) ?? 'accepted', /^Enter safe, a block number/, text);
    }
  });

  it('accepts a position as a whole number, or nothing for the whole block', () => {
    assert.equal(parsePosition(' 7 '), 7);
    assert.equal(parsePosition('0'), 0);
    assert.equal(parsePosition('  '), null);
    for (const text of ['-1', '1.5', '0x7', 'x', '9007199254740993']) {
      assert.equal(parsePosition(text), undefined, text);
    }
  });

  it('limits a position to the number of transactions in the block', () => {
    for (const text of ['', '0', '7']) assert.equal(positionProblem(text, 7), undefined, text);
    for (const text of ['8', '-1', 'x']) {
      assert.match(positionProblem(text, 7) ?? 'accepted', /^Enter 0 to 7: how many/, text);
    }
  });

  it('describes what is wrong with a name', () => {
    assert.equal(nameProblem(' audit '), undefined);
    assert.equal(nameProblem('   '), 'The name must be text of 1-64 characters.');
    assert.equal(nameProblem('x'.repeat(65)), 'The name must be text of 1-64 characters.');
    assert.equal(nameProblem('a\tb'), 'The name must be text without control characters.');
  });

  it('accepts a transaction hash', () => {
    assert.equal(hashProblem(` ${HASH} `), undefined);
    assert.equal(hashProblem(HASH.slice(0, -1)), 'A transaction hash is 0x and 64 hex digits.');
  });

  it('finds a hash inside a text, and nothing longer', () => {
    assert.equal(
      findHash(`see https://etherscan.io/tx/${HASH.toUpperCase().replace('0X', '0x')}#logs`),
      HASH,
    );
    assert.equal(findHash(`${HASH}cd`), undefined);
    assert.equal(findHash(`0x${'cd'.repeat(20)}`), undefined);
  });
});
