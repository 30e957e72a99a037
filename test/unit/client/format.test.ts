import assert from 'node:assert/strict';
import { counted, grouped, relativeTime, shortHex } from '../../../server/client/format';

describe('format', () => {
  it('groups thousands', () => {
    assert.equal(grouped(999), '999');
    assert.equal(grouped(1_000), '1,000');
    assert.equal(grouped(12_345_678_901_234_567_890n), '12,345,678,901,234,567,890');
    assert.equal(counted(1, 'fork'), '1 fork');
    assert.equal(counted(1_200, 'fork'), '1,200 forks');
  });

  it('shows ages, and dates for older times', () => {
    const now = Date.parse('2026-03-10T12:00:00Z');
    const ago = (seconds: number): string => relativeTime(now / 1000 - seconds, now);
    assert.deepEqual([0, 59, 60, 3_599, 3_600, 86_400, 604_800].map(ago), [
      'now',
      'now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '1 d ago',
      '7 d ago',
    ]);
    assert.equal(ago(604_801), '2026-03-03');
    assert.equal(ago(-60), '2026-03-10');
  });

  it('shortens only long hex', () => {
    assert.equal(shortHex(`0x1234${'0'.repeat(56)}cdef`), '0x1234…cdef');
    assert.equal(shortHex('0xa9059cbb'), '0xa9059cbb');
  });
});
