import assert from 'node:assert/strict';
import { intrinsicGas } from '../../../server/rules/intrinsic-gas';
import { account, mined, word } from '../../support/analysis';
import { AUTHORIZATION } from '../../support/gas-facts';

describe('intrinsic gas', () => {
  const { transaction } = mined();

  it('is 21000, plus 4 for each zero byte and 16 for each other byte (EIP-2028)', () => {
    assert.deepEqual(intrinsicGas(transaction, 'istanbul'), {
      intrinsic: 21_000,
      refundDivisor: 2,
    });
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'istanbul'), { intrinsic: 21_036, refundDivisor: 2 });
    assert.deepEqual(intrinsicGas(data, 'petersburg'), { intrinsic: 21_140, refundDivisor: 2 });
  });

  it('does not count a zero byte across two bytes', () => {
    const data = { ...transaction, input: '0x1001' } as const;
    assert.deepEqual(intrinsicGas(data, 'london'), { intrinsic: 21_032, refundDivisor: 5 });
  });

  it('has a floor since Prague (EIP-7623)', () => {
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'prague'), {
      intrinsic: 21_036,
      floor: 21_090,
      refundDivisor: 5,
    });
  });

  it('includes creations (EIP-2, EIP-3860)', () => {
    const creation = { ...transaction, to: null, input: `0x${'01'.repeat(33)}` } as const;
    assert.equal(intrinsicGas(creation, 'frontier')?.intrinsic, 21_000 + 33 * 68);
    assert.equal(intrinsicGas(creation, 'london')?.intrinsic, 53_000 + 33 * 16);
    assert.equal(intrinsicGas(creation, 'shanghai')?.intrinsic, 53_000 + 33 * 16 + 4);
  });

  it('includes access lists (EIP-2930) and authorizations (EIP-7702)', () => {
    const accessList = [
      { address: account(1), storageKeys: [word(1), word(2)] },
      { address: account(2), storageKeys: [] },
    ];
    assert.equal(intrinsicGas({ ...transaction, accessList }, 'berlin')?.intrinsic, 29_600);
    const authorized = { ...transaction, authorizationList: [AUTHORIZATION] };
    assert.equal(intrinsicGas(authorized, 'prague')?.intrinsic, 46_000);
  });

  it('is unknown for transaction types of other chains', () => {
    assert.equal(intrinsicGas({ ...transaction, type: '0x7e' }, 'prague'), undefined);
  });
});
