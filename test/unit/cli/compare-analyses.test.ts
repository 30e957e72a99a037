import assert from 'node:assert/strict';
import { createColors } from 'picocolors';
import { renderComparison } from '../../../server/cli/analysis/compare-analyses';

describe('two transactions compared by the command line', () => {
  it('say of balance changes that were not simply measured what they rest on', () => {
    const text = renderComparison(
      {
        equal: false,
        status: { left: true, right: true },
        gasUsed: { left: 1, right: 1 },
        calls: [],
        balances: [
          {
            account: '0xa',
            asset: 'TAX',
            left: '-5',
            right: '',
            proof: { left: 'not measured', right: '' },
          },
          {
            account: '0xb',
            asset: 'TAX',
            left: '5',
            right: '4.5',
            proof: { left: 'measured', right: 'measured, events differ' },
          },
        ],
      },
      createColors(false),
    );
    assert.deepEqual(text.split('\n').slice(-2), [
      '0xa TAX: -5 (not measured), then 0',
      '0xb TAX: 5, then 4.5 (measured, events differ)',
    ]);
  });
});
