import assert from 'node:assert/strict';
import { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { Stage } from './golden/stage';

const { signal } = new AbortController();

const LINES = '23 14 24 25 30 19 20 30 31 32 33 34 35 36 33 34 35 36 33 38 39 40 16';
const OPTIMIZED = '23 14 24 25 30 20 30 31 32 33 35 34 36 33 35 34 36 33 39 40 38 16';

describe('lines of code from before Solidity 0.5', () => {
  for (const [enabled, expected] of [
    [false, LINES],
    [true, OPTIMIZED],
  ] as const) {
    it(`do not begin with the variables further down, ${enabled ? 'with' : 'without'} the optimizer`, async () => {
      const scene = {
        file: 'Early.sol',
        version: '0.4.26',
        deploy: { early: ['Early'] },
        settings: { optimizer: { enabled } },
        transaction: { to: 'early', call: 'run(uint256)', arguments: [3] },
      } as const;
      const { recorded, programs } = new Stage(scene).record();
      const { stops } = await DebuggedTransaction.open(recorded, programs, signal);
      const lines = [...stops.steps].map((_, stop) => stops.line(stop)?.line);
      assert.deepEqual(
        lines.filter((line, index) => line !== lines[index - 1]).join(' '),
        expected,
      );
    });
  }
});
