import assert from 'node:assert/strict';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx, getCalldataFloorGas, type TypedTxData } from '@ethereumjs/tx';
import { createAddressFromString } from '@ethereumjs/util';
import { intrinsicGas } from '../../../../server/evm/rules/intrinsic-gas';
import { account, mined, word } from '../../../support/analysis';
import { AUTHORIZATION } from '../../../support/gas-facts';

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
    const authorized = { ...transaction, authorizationList: [{ ...AUTHORIZATION }] };
    assert.equal(intrinsicGas(authorized, 'prague')?.intrinsic, 46_000);
  });

  it('is unknown for transaction types of other chains', () => {
    assert.equal(intrinsicGas({ ...transaction, type: '0x7e' }, 'prague'), undefined);
  });

  describe('of Amsterdam', () => {
    const [from, to] = [account(1), account(2)];
    const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: Hardfork.Amsterdam });
    const call = { from, to, value: '0x0', input: '0x', type: '0x0' } as const;

    it('is decomposed, with a floor that starts from the same base (EIP-2780, EIP-7976)', () => {
      const rest = { refundDivisor: 5, hasStateGas: true } as const;
      const of = (changes: object) => intrinsicGas({ ...call, ...changes }, 'amsterdam');
      assert.deepEqual(of({}), { intrinsic: 15_000, floor: 15_000, ...rest });
      assert.deepEqual(of({ value: '0x1' }), { intrinsic: 21_000, floor: 21_000, ...rest });
      assert.deepEqual(of({ to: from, value: '0x1' }), {
        intrinsic: 12_000,
        floor: 12_000,
        ...rest,
      });
      assert.deepEqual(of({ input: '0x0001' }), { intrinsic: 15_020, floor: 15_128, ...rest });
      assert.deepEqual(of({ to: null, value: '0x1', input: '0x0102' }), {
        intrinsic: 24_034,
        floor: 24_128,
        ...rest,
      });
    });

    it('is that of the executor for access lists and authorizations (EIP-7981, 8037, 8038)', () => {
      const accessList = [
        { address: to, storageKeys: [word(1), word(2)] },
        { address: from, storageKeys: [] },
      ];
      const cases: Parameters<typeof intrinsicGas>[0][] = [
        { ...call, type: '0x1', accessList, input: '0x00ff' },
        { ...call, type: '0x4', accessList, value: '0x5', authorizationList: [AUTHORIZATION] },
        { ...call, type: '0x1', to: null, accessList, input: `0x${'10'.repeat(65)}` },
      ];
      for (const one of cases) {
        const { input: data, to: target, from: sender, ...rest } = one;
        const sent = { ...rest, data, ...(target && { to: target }), gasLimit: 10n ** 7n };
        const tx = createTx(sent as unknown as TypedTxData, { common, freeze: false });
        const executor = createAddressFromString(sender);
        tx.getSenderAddress = () => executor;
        const { intrinsic, floor } = intrinsicGas(one, 'amsterdam') ?? {};
        assert.deepEqual(
          [intrinsic, floor],
          [Number(tx.getIntrinsicGas()), Number(getCalldataFloorGas(tx, executor))],
        );
      }
    });
  });
});
