import assert from 'node:assert/strict';
import { succeeded } from '../../../server/analysis/executed-transaction';
import type { Hex } from '../../../server/api/primitives';
import { frame, mined, without } from '../../support/analysis';

describe('the outcome of a transaction', () => {
  it('follows the receipt, or else the trace', () => {
    const outcome = (status: Hex | undefined, error?: string) => {
      const { receipt, ...rest } = mined();
      const older = without(receipt, 'status');
      const root = frame(error === undefined ? {} : { error });
      return succeeded({
        mined: { ...rest, receipt: status === undefined ? older : { ...receipt, status } },
        trace: { root, method: 'debug', reportedGas: 0 },
      });
    };
    assert.deepEqual(
      [
        outcome('0x1'),
        outcome('0x0'),
        outcome('0x1', 'x'),
        outcome(undefined),
        outcome(undefined, 'x'),
      ],
      [true, false, true, true, false],
    );
  });
});
