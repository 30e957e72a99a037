import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import { History } from '../../../../server/forks/writes/history';
import { JournalQuota } from '../../../../server/forks/writes/journal-quota';

describe('JournalQuota', () => {
  /** @param reverted entries that were reverted, of all `entries`, which includes the revert itself */
  function quota(bytes: number, entries: number, reverted = 0) {
    const history = new History('default');
    for (let i = 0; i < reverted; i++) history.add({ op: 'call', method: 'm', params: [] });
    if (reverted > 0) history.add({ op: 'revert', id: 'default' });
    while (history.entries < entries) history.add({ op: 'call', method: 'm', params: [] });
    return new JournalQuota({ bytes: 10_000, entries: 20 }, { bytes }, history);
  }
  const refusal = (reached: string) => (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.kind, 'journalFull');
    assert.equal(
      error.message,
      `the fork has ${reached}, which is the limit: revert to a snapshot, branch the fork before an early transaction, ` +
        'delete the fork, or raise limits.forkJournalMegabytes or limits.forkJournalEntries in the config file',
    );
    return true;
  };

  it('warns from four fifths of either limit', () => {
    assert.deepEqual(quota(7_999, 15).size, {
      bytes: 7_999,
      maxBytes: 10_000,
      isNearlyFull: false,
    });
    assert.deepEqual(quota(8_000, 0).size, { bytes: 8_000, maxBytes: 10_000, isNearlyFull: true });
    assert.equal(quota(0, 16).isNearlyFull, true);
  });

  it('refuses changes at either limit, with the one that was reached', async () => {
    await quota(9_999, 19).requireRoom();
    await assert.rejects(quota(9_999, 20).requireRoom(), refusal('20 changes'));
    await assert.rejects(quota(10_000, 0).requireRoom(), refusal('0.01 MiB of changes'));
  });

  it('reports what the journal has grown by', async () => {
    const journal = { bytes: 100 };
    const reported: number[] = [];
    const of = new JournalQuota(
      { bytes: 10_000, entries: 20 },
      journal,
      new History('default'),
      (grown) => {
        reported.push(grown);
        return Promise.resolve();
      },
    );
    await of.requireRoom();
    journal.bytes = 150;
    await of.requireRoom();
    await of.requireRoom();
    assert.deepEqual(reported, [0, 50, 0]);
  });

  it('can shrink if a rewritten journal would be well below the limits', () => {
    assert.equal(quota(8_000, 0).canShrink, true);
    assert.equal(quota(7_999, 0).canShrink, false);
    // Each entry that is needed counts with 256 bytes.
    assert.equal(quota(8_000, 12).canShrink, true);
    assert.equal(quota(0, 16).canShrink, false);
    assert.equal(quota(0, 16, 3).canShrink, true);
    assert.equal(quota(0, 16, 2).canShrink, false);
  });
});
