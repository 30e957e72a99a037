import assert from 'node:assert/strict';
import { calledSelector, holdsSelector } from '../../../server/analysis/fallback-rule';
import { account, frame } from '../../support/analysis';

const CODE = '0x6080604052630a9059cb8063a9059cbb14';
const input = '0xdeadbeef00';
const SELECTOR = '0xdeadbeef';

describe('calledSelector', () => {
  it('is none for data that is too short for a selector, whatever the code', () => {
    assert.equal(calledSelector(frame({ input: '0xdeadbe' }), { code: CODE }), undefined);
    assert.equal(calledSelector(frame({ input: '0x' }), undefined), undefined);
  });

  it('is there where the code holds the selector, or is not known', () => {
    assert.equal(calledSelector(frame({ input: '0xa9059cbb' }), { code: CODE }), '0xa9059cbb');
    assert.equal(calledSelector(frame({ input }), {}), SELECTOR);
    assert.equal(calledSelector(frame({ input }), undefined), SELECTOR);
  });

  it('is none where the code does not hold the selector, or there is none', () => {
    assert.equal(calledSelector(frame({ input }), { code: CODE }), undefined);
    assert.equal(calledSelector(frame({ input }), { code: '0x' }), undefined);
  });

  it('is there where the data is handed on', () => {
    const items = [frame({ type: 'DELEGATECALL', input })];
    assert.equal(calledSelector(frame({ input, items }), { code: CODE }), SELECTOR);
    const proxy = { code: CODE, implementation: account(1) } as const;
    assert.equal(calledSelector(frame({ input }), proxy), SELECTOR);
  });

  it('is there for a call that failed: there may be no fallback at all', () => {
    assert.equal(
      calledSelector(frame({ input, error: 'execution reverted' }), { code: CODE }),
      SELECTOR,
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
