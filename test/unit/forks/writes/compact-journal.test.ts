import assert from 'node:assert/strict';
import type { JournalEntry, HistoryEntry } from '../../../../server/forks/writes/journal';
import {
  DROP_POOL,
  indexOfTaking,
  withoutRevertedEntries,
} from '../../../../server/forks/writes/compact-journal';
import { sizeOf } from '../../../../server/forks/writes/journal-size';
import { keep, revert, snapshot, step } from '../../../support/journal-entries';

const send = (timestamp?: number): JournalEntry => ({
  op: 'send',
  calls: [],
  ...(timestamp === undefined ? {} : { timestamp }),
});
const mine: JournalEntry = { op: 'mine', blocks: 1, timestamp: 1, interval: 1 };

describe('withoutRevertedEntries', () => {
  for (const [title, script, expected] of [
    [
      'consumes a snapshot',
      [step(1), snapshot('a'), step(2), revert('a', true), step(3)],
      [step(1), step(3)],
    ],
    [
      'keeps a named snapshot',
      [step(1), keep('a'), step(2), revert('a', true)],
      [step(1), keep('a')],
    ],
    [
      'removes everything before a revert to the default snapshot',
      [step(1), revert('default', true), step(2)],
      [step(2)],
    ],
    [
      'drops pooled transactions of a snapshot',
      [snapshot('a', true), send(), revert('a', true), step(2)],
      [DROP_POOL, step(2)],
    ],
    [
      'drops those of a named one',
      [keep('a', true), revert('a', true)],
      [keep('a', true), DROP_POOL],
    ],
    [
      'removes several reverts, from the last to the first',
      [
        snapshot('a'),
        step(1),
        revert('a', true),
        snapshot('b'),
        step(2),
        revert('b', true),
        step(3),
      ],
      [step(3)],
    ],
    ['removes blocks that were reverted', [snapshot('a'), mine, send(5), revert('a', true)], []],
    ['ignores sends without a block', [snapshot('a'), revert('a', true), send()], [send()]],
    [
      'takes the newest snapshot of an id before the revert',
      [keep('a'), step(1), keep('a'), step(2), revert('a', true), keep('a')],
      [keep('a'), step(1), keep('a'), keep('a')],
    ],
  ] as [string, JournalEntry[], JournalEntry[]][]) {
    it(title, () => {
      const before = [...script];
      assert.deepEqual(withoutRevertedEntries(script), expected);
      assert.deepEqual(script, before);
    });
  }

  it('leaves a revert before a block', () => {
    for (const block of [mine, send(5)]) {
      const script = [snapshot('a'), step(1), revert('a', true), block];
      assert.deepEqual(withoutRevertedEntries(script), script);
    }
  });
});

describe('the script of a journal', () => {
  it('finds the entry that takes a snapshot', () => {
    const script = [snapshot('a'), keep('b'), snapshot('a'), step(1), revert('b', true)];
    assert.equal(indexOfTaking(script, 'a'), 2);
    assert.equal(indexOfTaking(script, 'b'), 1);
    assert.equal(indexOfTaking(script, 'default'), -1);
  });

  it('counts an entry whose payload is on disk by its line', () => {
    const load = () => Promise.resolve(step(1));
    const stored: HistoryEntry = { op: 'call', stored: { bytes: 7_000, load } };
    assert.deepEqual(sizeOf(stored), { entries: 1, bytes: 7_000 });
    assert.deepEqual(sizeOf(step(1)), { entries: 1, bytes: 256 });
  });
});
