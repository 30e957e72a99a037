import assert from 'node:assert/strict';
import { holdsSelector, reachesFallback } from '../../../server/analysis/fallback-rule';
import { account, frame } from '../../support/analysis';

const CODE = '0x6080604052630a9059cb8063a9059cbb14';
const input = '0xdeadbeef00';

describe('reachesFallback', () => {
  it('is true for data that is too short for a selector, whatever the code', () => {
    assert.equal(reachesFallback(frame({ input: '0xdeadbe' }), { code: CODE }), true);
    assert.equal(reachesFallback(frame({ input: '0x' }), undefined), true);
  });

  it('is false where the code holds the selector, or is not known', () => {
    assert.equal(reachesFallback(frame({ input: '0xa9059cbb' }), { code: CODE }), false);
    assert.equal(reachesFallback(frame({ input }), {}), false);
    assert.equal(reachesFallback(frame({ input }), undefined), false);
  });

  it('is true where the code does not hold the selector, or there is none', () => {
    assert.equal(reachesFallback(frame({ input }), { code: CODE }), true);
    assert.equal(reachesFallback(frame({ input }), { code: '0x' }), true);
  });

  it('is false where the data is handed on', () => {
    const items = [frame({ type: 'DELEGATECALL', input })];
    assert.equal(reachesFallback(frame({ input, items }), { code: CODE }), false);
    const proxy = { code: CODE, implementation: account(1) } as const;
    assert.equal(reachesFallback(frame({ input }), proxy), false);
  });

  it('is false for a call that failed: there may be no fallback at all', () => {
    assert.equal(
      reachesFallback(frame({ input, error: 'execution reverted' }), { code: CODE }),
      false,
    );
  });
});

describe('holdsSelector', () => {
  it('finds selectors that compilers write shorter because of leading zeros', () => {
    assert.equal(holdsSelector('0x8062fdd58e14', '0x00fdd58e'), true);
    assert.equal(holdsSelector('0x80fdd58e14', '0x00fdd58e'), false);
    assert.equal(holdsSelector('0x805f14', '0x00000000'), true);
  });
});
