import assert from 'node:assert/strict';
import {
  calledSelector,
  containsSelector,
} from '../../../../server/analysis/decoding/fallback-rule';
import { account, frame } from '../../../support/analysis';

const CODE = '0x6080604052630a9059cb8063a9059cbb14';
const input = '0xdeadbeef00';
const SELECTOR = '0xdeadbeef';

describe('calledSelector', () => {
  it('is undefined for data that is too short for a selector, whatever the code', () => {
    assert.equal(calledSelector(frame({ input: '0xdeadbe' }), { code: CODE }), undefined);
    assert.equal(calledSelector(frame({ input: '0x' }), undefined), undefined);
  });

  it('is defined if the code contains the selector, or if the code is unknown', () => {
    assert.equal(calledSelector(frame({ input: '0xa9059cbb' }), { code: CODE }), '0xa9059cbb');
    assert.equal(calledSelector(frame({ input }), {}), SELECTOR);
    assert.equal(calledSelector(frame({ input }), undefined), SELECTOR);
  });

  it('is undefined if the code does not contain the selector, or if there is no code', () => {
    assert.equal(calledSelector(frame({ input }), { code: CODE }), undefined);
    assert.equal(calledSelector(frame({ input }), { code: '0x' }), undefined);
  });

  it('is defined if the data is forwarded', () => {
    const items = [frame({ type: 'DELEGATECALL', input })];
    assert.equal(calledSelector(frame({ input, items }), { code: CODE }), SELECTOR);
    const proxy = { code: CODE, implementation: account(1) } as const;
    assert.equal(calledSelector(frame({ input }), proxy), SELECTOR);
  });

  it('is defined for a failed call: the contract may have no fallback function', () => {
    assert.equal(
      calledSelector(frame({ input, error: 'execution reverted' }), { code: CODE }),
      SELECTOR,
    );
  });
});

describe('containsSelector', () => {
  it('finds selectors that compilers shorten because of leading zeros', () => {
    assert.equal(containsSelector('0x8062fdd58e14', '0x00fdd58e'), true);
    assert.equal(containsSelector('0x80fdd58e14', '0x00fdd58e'), false);
    assert.equal(containsSelector('0x805f14', '0x00000000'), true);
  });
});
