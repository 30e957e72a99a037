import assert from 'node:assert/strict';
import { plainReading, valueText } from '../../../server/client/value-text';

const MAX = String(2n ** 256n - 1n);
const text = (type: string, value: string, readings: Parameters<typeof plainReading>[0][] = []) =>
  valueText({ name: '', type, value, readings }, plainReading);

describe('valueText', () => {
  it('writes amounts and times in words', () => {
    const amount = { path: '', asset: '0x70', symbol: 'hUSD', amount: '2000' };
    assert.equal(text('uint256', '2000000000', [amount]), '2000 hUSD');
    assert.equal(text('uint256', '1', [{ path: '', asset: '0x70', amount: '1' }]), '1 0x70');
    assert.equal(
      text('uint256', '1', [{ path: '', time: '2026-01-31T12:00:00Z' }]),
      '2026-01-31T12:00:00Z',
    );
  });

  it('replaces numbers inside arrays and tuples', () => {
    const readings = [
      { path: '[1]', asset: '0x70', symbol: 'hUSD', amount: '2' },
      { path: '[0].in', asset: '0x70', symbol: 'hUSD', amount: '1' },
    ];
    assert.equal(
      text('(uint256,uint256)[]', '[{"in":"1000000","out":"5"},"2000000"]', readings),
      '[{"in":"1 hUSD","out":"5"},"2 hUSD"]',
    );
    assert.equal(text('uint256[]', 'no json', readings), 'no json');
  });

  it('writes the largest word as max, and leaves other values', () => {
    assert.equal(text('uint256', MAX), 'max');
    assert.equal(text('uint256', '12'), '12');
    assert.equal(text('string', 'text'), 'text');
  });
});
