import assert from 'node:assert/strict';
import {
  gasParts,
  spentByReceipt,
  type GasFacts,
  type GasParts,
} from '../../../../server/analysis/gas/parts';
import { gasFactsWith, INTRINSIC } from '../../../support/gas-facts';

describe('gas parts', () => {
  const unknown: GasParts = {
    intrinsicGas: null,
    executionGas: null,
    refund: null,
    floorGas: null,
  };
  const parts = (values: Partial<GasFacts>, spent?: number, counter?: number) =>
    gasParts(
      gasFactsWith(values),
      spent === undefined ? undefined : { spent, ...(counter === undefined ? {} : { counter }) },
    );

  it('limit refunds to one half, and to one fifth since London (EIP-3529)', () => {
    const half = { intrinsic: { intrinsic: 21_000, refundDivisor: 2 }, gasUsed: 13_000 } as const;
    assert.deepEqual(parts(half, 5_000, 15_000), {
      intrinsicGas: 21_000,
      executionGas: 5_000,
      refund: 13_000,
      floorGas: 0,
    });
    assert.equal(parts({ intrinsic: INTRINSIC, gasUsed: 20_800 }, 5_000, 9_600).refund, 5_200);
  });

  it('contain the addition of the floor (EIP-7623), and no refund that the floor hides', () => {
    const floored = { gasUsed: 61_000, intrinsic: { ...INTRINSIC, floor: 61_000 } };
    assert.deepEqual(parts(floored, 9_000, 4_800), {
      intrinsicGas: 21_000,
      executionGas: 9_000,
      refund: 4_800,
      floorGas: 35_800,
    });
    assert.deepEqual(parts(floored, 9_000), {
      ...unknown,
      intrinsicGas: 21_000,
      executionGas: 9_000,
    });
  });

  it('derive the number of existing authorities from the receipt (EIP-7702)', () => {
    const authorized = { authorizations: 2, intrinsic: { ...INTRINSIC, intrinsic: 71_000 } };
    assert.equal(parts({ ...authorized, gasUsed: 63_500 }, 5_000, 0).refund, 12_500);
    assert.equal(parts({ ...authorized, gasUsed: 60_800 }, 5_000, 0).refund, 15_200);
    assert.equal(parts({ ...authorized, gasUsed: 76_000 }, 5_000, 0).refund, 0);
  });

  it('are unknown if the rules contradict the receipt', () => {
    const reported = { ...unknown, executionGas: 5_000 };
    assert.deepEqual(parts({ gasUsed: 26_001 }, 5_000), reported, 'more than is available');
    assert.deepEqual(parts({ gasUsed: 20_799, intrinsic: INTRINSIC }, 5_000), reported, 'too much');
    assert.deepEqual(
      parts({ gasUsed: 25_000 }, 5_000, 4_800),
      reported,
      'not equal to the counter',
    );
    assert.deepEqual(parts({ intrinsic: undefined }, 5_000), reported, 'no rules');
    assert.deepEqual(parts({ intrinsic: undefined }), unknown);
    assert.deepEqual(parts({ gasUsed: 16_799, intrinsic: INTRINSIC }), unknown, 'too little');
    assert.deepEqual(parts({}), { ...unknown, intrinsicGas: 21_000 });
  });

  it('follow from the receipt if nothing earned a refund, or if all gas was consumed', () => {
    const plain = { mayEarnRefunds: false };
    assert.deepEqual(spentByReceipt(gasFactsWith(plain)), { spent: 39_000, counter: 0 });
    assert.equal(spentByReceipt(gasFactsWith()), undefined);
    assert.equal(
      spentByReceipt(gasFactsWith({ ...plain, gasUsed: 21_100 })),
      undefined,
      'the floor',
    );
    assert.equal(spentByReceipt(gasFactsWith({ ...plain, authorizations: 1 })), undefined);
    assert.equal(spentByReceipt(gasFactsWith({ ...plain, intrinsic: undefined })), undefined);
    assert.deepEqual(spentByReceipt(gasFactsWith({ outcome: 'reverted' })), {
      spent: 39_000,
      counter: 0,
    });
    assert.deepEqual(spentByReceipt(gasFactsWith({ outcome: 'halted', gasUsed: 100_000 })), {
      spent: 79_000,
      counter: 0,
    });
  });
});

describe('gas parts at the bounds', () => {
  const parts = (values: Partial<GasFacts>, spent?: number) =>
    gasParts(gasFactsWith(values), spent === undefined ? undefined : { spent });

  it('accept the smallest gas that the rules allow', () => {
    assert.equal(parts({ gasUsed: 16_800, intrinsic: INTRINSIC }).intrinsicGas, 21_000);
  });

  it('accept no refund and the largest one', () => {
    assert.equal(parts({ gasUsed: 60_000 }, 39_000).refund, 0);
    assert.equal(parts({ gasUsed: 60_000 }, 54_000).refund, 15_000);
    assert.equal(parts({ gasUsed: 60_000 }, 54_005).refund, null);
  });

  it('leave a refund open that the floor hides in part', () => {
    const floored = { gasUsed: 61_000, intrinsic: { ...INTRINSIC, floor: 61_000 } };
    assert.deepEqual(parts(floored, 49_000), {
      intrinsicGas: 21_000,
      executionGas: 49_000,
      refund: null,
      floorGas: null,
    });
  });

  it('follow from a receipt at the floor if the floor adds nothing, or if all gas was consumed', () => {
    const intrinsic = { ...INTRINSIC, floor: 21_000 };
    const plain = { mayEarnRefunds: false, intrinsic, gasUsed: 21_000 };
    assert.deepEqual(spentByReceipt(gasFactsWith(plain)), { spent: 0, counter: 0 });
    const halted = { outcome: 'halted', authorizations: 1, gasUsed: 100_000 } as const;
    assert.deepEqual(spentByReceipt(gasFactsWith(halted)), { spent: 79_000, counter: 0 });
  });
});
