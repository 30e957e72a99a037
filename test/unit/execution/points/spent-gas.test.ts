import assert from 'node:assert/strict';
import { spentBySteps } from '../../../../server/execution/points/spent-gas';

/** Three instructions, the second one with the given refund counter and the last one with another. */
const listed = (during: unknown, last: unknown) => ({
  gas: 30_000,
  structLogs: [
    { depth: 1, gas: 9_000, gasCost: 3 },
    { depth: 2, gas: 8_000, gasCost: 100, refund: during },
    { depth: 1, gas: 5_000, gasCost: 0, refund: last },
  ],
});
const spent = (during: unknown, last: unknown, listsZero = true) =>
  spentBySteps(listed(during, last), 30_000, '0x', { listsZero });

describe('the gas of a list of instructions', () => {
  it('is read if a refund counter is below zero on the way, whatever its width', () => {
    for (const during of [
      -4_800,
      2 ** 32 - 4_800,
      2 ** 64 - 4_800,
      2 ** 128,
      2 ** 256,
      '0xffffffffffffed40',
      null,
    ]) {
      assert.deepEqual(spent(during, 2_000), { spent: 4_000, counter: 2_000 }, String(during));
    }
  });

  it('has no counter if the last one makes no sense', () => {
    for (const last of [-1, 2 ** 32 - 4_800, 2 ** 64 - 4_800, 0.5, 'x']) {
      assert.deepEqual(spent(1, last), { spent: 4_000 }, String(last));
      assert.deepEqual(spent(1, last, false), { spent: 4_000 }, String(last));
    }
  });

  it('has a counter of zero if none is listed, where zero is not listed', () => {
    assert.deepEqual(spent(undefined, undefined, false), { spent: 4_000, counter: 0 });
    assert.deepEqual(spent(undefined, undefined), { spent: 4_000 });
    assert.deepEqual(spent(4_800, undefined), { spent: 4_000, counter: 0 });
  });

  it('is unknown for another execution', () => {
    assert.equal(spentBySteps(listed(0, 0), 30_001, '0x'), undefined);
    assert.equal(spentBySteps({ gas: 1 }, 1, '0x'), undefined);
  });
});
