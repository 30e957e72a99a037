import assert from 'node:assert/strict';
import { History } from '../../../../server/forks/writes/history';
import type { JournalEntry } from '../../../../server/forks/writes/journal';
import {
  addTo,
  executed,
  keep,
  methods,
  revert,
  snapshot,
  step,
} from '../../../support/journal-entries';

describe('History', () => {
  let history: History;
  beforeEach(() => {
    history = new History('default');
  });
  const has = (...ids: string[]) => ids.filter((id) => history.has(id));

  it('keeps the entries that lead to the present state, without reverted ones', () => {
    for (const entry of [
      step(1),
      { op: 'snapshot', id: '0x0' },
      step(2),
      { op: 'snapshot', id: '0x1' },
      { op: 'revert', id: '0x0' },
      step(3),
    ] satisfies JournalEntry[])
      history.add(entry);
    assert.deepEqual(methods(history), ['m1', 'm3']);
    assert.deepEqual(
      ['default', '0x0', '0x1'].map((id) => history.has(id)),
      [true, false, false],
    );
    assert.equal(history.nextId, '0x2');
    history.add({ op: 'revert', id: 'default' });
    assert.deepEqual(history.script, []);
  });

  it('keeps the entries of a named snapshot that is not on the script', () => {
    for (const entry of [step(1), keep('a'), step(2), { op: 'revert', id: 'default' }, step(3)])
      history.add(entry as JournalEntry);
    assert.deepEqual(methods(history), ['m3']);
    const later = new History('default', history.compacted());
    assert.deepEqual(
      later.named.map(({ id }) => id),
      ['a'],
    );
    later.add({ op: 'revert', id: 'a' });
    assert.deepEqual(methods(later), ['m1']);
    later.add({ op: 'forget', id: 'a' });
    assert.equal(later.has('a'), false);
    assert.deepEqual(later.named, []);
  });

  it('drops pooled transactions with a revert to a snapshot that had some', () => {
    history.add({ op: 'snapshot', id: '0x0', pool: true });
    history.add({ op: 'revert', id: '0x0' });
    assert.deepEqual(methods(history), ['anvil_dropAllTransactions']);
  });

  it('keeps the entries before an inexact revert', () => {
    history.add(step(1));
    history.add({ op: 'revert', id: 'default', inline: true });
    history.add(step(2));
    assert.deepEqual(methods(history), ['m1', 'm2']);
    history.add({ op: 'revert', id: 'default' });
    assert.deepEqual(history.script, []);
  });

  it('removes what was reverted after the last block', () => {
    const block: JournalEntry = { op: 'mine', blocks: 1, timestamp: 1, interval: 1 };
    const round = (id: number): JournalEntry[] => [
      { op: 'snapshot', id: `0x${id}` },
      step(id),
      block,
      { op: 'revert', id: `0x${id}`, inline: true },
    ];
    const outer: JournalEntry = { op: 'snapshot', id: '0x0' };
    const last: JournalEntry = { op: 'snapshot', id: '0x9' };
    // The block after the first round depends on that round's revert.
    for (const entry of [
      outer,
      ...round(1),
      block,
      ...round(2),
      ...round(3),
      step(8),
      last,
      step(9),
    ])
      history.add(entry);
    history.add({ op: 'revert', id: '0x9' });
    assert.deepEqual(history.script, [outer, ...round(1), block, step(8)]);
    assert.equal(history.has('0x2'), false);
    history.add({ op: 'revert', id: '0x0' });
    assert.deepEqual(history.script, []);
  });

  it('removes it from the script of a named snapshot too', () => {
    for (const entry of [
      keep('a'),
      { op: 'revert', id: 'default', inline: true },
      keep('b'),
      { op: 'snapshot', id: '0x0' },
    ] satisfies JournalEntry[])
      history.add(entry);
    history.add({ op: 'revert', id: 'b' });
    assert.deepEqual(history.script, [keep('b')]);
    history.add({ op: 'forget', id: 'a' });
    history.add({ op: 'revert', id: 'b' });
    assert.deepEqual(history.script, [keep('b')]);
  });

  it('finds where a snapshot was taken after a revert that remains in the script', () => {
    for (const entry of [
      { op: 'revert', id: 'default', inline: true },
      { op: 'snapshot', id: '0x0' },
      step(1),
      { op: 'snapshot', id: '0x1' },
      keep('a'),
      { op: 'revert', id: 'a', inline: true },
      { op: 'revert', id: '0x1' },
    ] satisfies JournalEntry[])
      history.add(entry);
    assert.deepEqual(history.script, [{ op: 'snapshot', id: '0x0' }, step(1)]);
  });

  it('counts the transactions that were not reverted', () => {
    addTo(history, executed(1, 2), snapshot('0x0'), executed(2, 3), keep('a'), executed(3, 4));
    assert.equal(history.transactions, 9);
    addTo(history, { op: 'revert', id: 'a', inline: true }, executed(4, 1));
    assert.equal(history.transactions, 6);
    addTo(history, { op: 'revert', id: '0x0', inline: true });
    assert.equal(history.transactions, 2);
    addTo(history, { op: 'revert', id: 'default', inline: true }, step(1));
    assert.equal(history.transactions, 0);
  });

  it('refuses a revert to an unknown snapshot', () => {
    assert.throws(
      () => {
        addTo(history, revert('0x5'));
      },
      { message: 'there is no snapshot 0x5' },
    );
    assert.equal(history.isNamed('default'), false);
    addTo(history, keep('a'));
    assert.deepEqual([history.isNamed('a'), history.isNamed('b')], [true, false]);
  });

  it('lists named snapshots by their time, each once', () => {
    addTo(history, keep('2'), keep('3'), keep('1'), keep('2'));
    assert.deepEqual(
      history.named.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.equal(history.named[1]?.name, '2');
  });

  it('has after a revert only the snapshots from before, if they are not consumed', () => {
    addTo(history, snapshot('0x0'), keep('a'), snapshot('0x1'), revert('a'));
    assert.deepEqual(has('default', '0x0', '0x1', 'a'), ['default', '0x0', 'a']);
    addTo(history, revert('0x0'), revert('a'));
    assert.deepEqual(has('0x0', '0x1', 'a'), ['a']);
    addTo(history, snapshot('0x2'), revert('default'));
    assert.deepEqual(has('0x2', 'a'), ['a']);
  });

  it('forgets a snapshot of either kind', () => {
    addTo(history, snapshot('0x0'), snapshot('0x1'), keep('a'), keep('b'));
    addTo(history, { op: 'forget', id: '0x0' }, { op: 'forget', id: 'a' });
    assert.deepEqual(has('0x0', '0x1', 'a', 'b'), ['0x1', 'b']);
    assert.deepEqual(history.compacted().entries, [
      snapshot('0x0'),
      snapshot('0x1'),
      keep('a'),
      keep('b'),
      { op: 'forget', id: '0x0' },
      { op: 'forget', id: 'a' },
    ]);
  });

  it('drops the pool after a revert to a named snapshot, but not after an inline one', () => {
    const pooled = keep('a', true);
    const drop: JournalEntry = { op: 'call', method: 'anvil_dropAllTransactions', params: [] };
    addTo(history, pooled, step(1), revert('a'));
    assert.deepEqual(history.script, [pooled, drop]);
    addTo(history, { op: 'revert', id: 'a', inline: true });
    assert.deepEqual(history.script.slice(2), [{ op: 'revert', id: 'a', inline: true }]);
  });

  it('keeps the script of a named snapshot that is no longer on the way', () => {
    addTo(history, step(1), keep('a'), step(2), keep('b'), revert('default'), step(3));
    assert.deepEqual(history.compacted().entries, [
      step(1),
      keep('a'),
      revert('default'),
      step(1),
      keep('a'),
      step(2),
      keep('b'),
      revert('default'),
      step(3),
    ]);
    assert.equal(history.needed.entries, 7);
    addTo(history, revert('b'));
    assert.deepEqual(history.script, [step(1), keep('a'), step(2), keep('b')]);
    assert.equal(history.needed.entries, 4);
    addTo(history, revert('a'));
    assert.equal(history.needed.entries, 6);
  });
});
