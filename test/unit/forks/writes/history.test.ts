import assert from 'node:assert/strict';
import fc from 'fast-check';
import { History } from '../../../../server/forks/writes/history';
import {
  EMPTY_JOURNAL,
  type JournalEntry,
  type HistoryEntry,
} from '../../../../server/forks/writes/journal';

const step = (name: number): JournalEntry => ({ op: 'call', method: `m${name}`, params: [] });
const keep = (id: string): JournalEntry => ({
  op: 'keep',
  snapshot: { id, name: id, createTime: id, blockNumber: 1 },
});
const methods = (history: History) =>
  history.script.flatMap((entry) =>
    entry.op === 'call' && 'method' in entry ? [entry.method] : [],
  );

/** Actions of a user, chosen among the existing snapshots. */
const action = fc.oneof(
  fc.record({ kind: fc.constant('step' as const), name: fc.nat(9) }),
  fc.record({ kind: fc.constant('snapshot' as const), pool: fc.boolean() }),
  fc.record({ kind: fc.constant('keep' as const), pool: fc.boolean() }),
  fc.record({ kind: fc.constant('forget' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('revert' as const), which: fc.nat(), inline: fc.boolean() }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function apply(history: History, one: Action, ids: string[]): void {
  const usable = ['default', ...ids].filter((id) => history.has(id));
  const pool = 'pool' in one && one.pool ? ({ pool: true } as const) : {};
  if (one.kind === 'step') history.add(step(one.name));
  else if (one.kind === 'snapshot') {
    ids.push(history.nextId);
    history.add({ op: 'snapshot', id: history.nextId, ...pool });
  } else if (one.kind === 'keep') {
    const id = `named ${String(ids.length).padStart(4, '0')}`;
    ids.push(id);
    history.add({ ...keep(id), ...pool });
  } else if (one.kind === 'forget') {
    const named = history.named[one.which % Math.max(1, history.named.length)];
    if (named) history.add({ op: 'forget', id: named.id });
  } else {
    const id = usable[one.which % usable.length] ?? 'default';
    // An engine has a snapshot only if it is on the present script.
    const onScript =
      id === 'default' ||
      history.script.some(
        (entry) =>
          (entry.op === 'snapshot' && entry.id === id) ||
          (entry.op === 'keep' && entry.snapshot.id === id),
      );
    history.add({ op: 'revert', id, ...(one.inline && onScript ? { inline: true } : {}) });
  }
}

describe('History', () => {
  let history: History;
  beforeEach(() => {
    history = new History('default');
  });

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

  it('is the same after its journal is rewritten, and after further changes', () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 40 }),
        fc.array(action, { maxLength: 12 }),
        (before, after) => {
          const original = new History('default');
          const ids: string[] = [];
          for (const one of before) apply(original, one, ids);
          const again = new History('default', original.compacted());
          const same = (): void => {
            assert.deepEqual(again.script, original.script);
            assert.deepEqual(
              again.named.map(({ id }) => id),
              original.named.map(({ id }) => id),
            );
            assert.equal(again.nextId, original.nextId);
            assert.deepEqual(
              ids.filter((id) => again.has(id)),
              ids.filter((id) => original.has(id)),
            );
          };
          same();
          const others = [...ids];
          for (const one of after) {
            apply(original, one, ids);
            apply(again, one, others);
            same();
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is wasteful when most of a long journal is superfluous, and not after it is rewritten', () => {
    for (let round = 0; round < 300; round++) {
      history.add(step(round));
      history.add({ op: 'revert', id: 'default' });
    }
    assert.equal(history.needsCompaction, true);
    const contents = history.compacted();
    assert.deepEqual(contents, EMPTY_JOURNAL);
    history.rewritten(contents);
    assert.equal(history.needsCompaction, false);
  });

  /** An entry whose payload is on disk, with a size in MiB. */
  const large = (name: number, megabytes: number): HistoryEntry => ({
    op: 'call',
    stored: {
      bytes: megabytes * 1024 * 1024,
      load: () => Promise.resolve(step(name)),
    },
  });

  it('is wasteful by its size in bytes as well', () => {
    history.add(large(1, 10));
    for (let round = 0; round < 9; round++) {
      history.add({ op: 'snapshot', id: `0x${round}` });
      history.add(large(2, 10));
      history.add({ op: 'revert', id: `0x${round}` });
      assert.equal(history.needsCompaction, round >= 7, `round ${round}`);
    }
    assert.equal(history.needsCompaction, true);
    assert.deepEqual(history.compacted().entries.length, 1);
    history.rewritten(history.compacted());
    assert.equal(history.needsCompaction, false);
    assert.deepEqual(history.needed.entries, 1);
  });

  it('needs the entries of a named snapshot that is not on the script', () => {
    for (const entry of [large(1, 8), keep('a'), large(2, 8)]) history.add(entry);
    assert.equal(Math.floor(history.needed.bytes / 1024 ** 2), 16);
    history.add({ op: 'revert', id: 'default' });
    assert.deepEqual(
      [history.needed.entries, Math.floor(history.needed.bytes / 1024 ** 2)],
      [2, 8],
    );
    history.add({ op: 'forget', id: 'a' });
    assert.deepEqual(history.needed, { entries: 0, bytes: 0 });
  });

  it('needs only the remaining script after each revert', () => {
    for (let round = 0; round < 3; round++) {
      history.add(large(round, 4));
      history.add({ op: 'snapshot', id: `0x${round}` });
    }
    assert.equal(history.needed.entries, 6);
    history.add({ op: 'revert', id: '0x1' });
    assert.deepEqual(history.needed, new History('default', history.compacted()).needed);
    assert.equal(history.needed.entries, 3);
    history.add({ op: 'revert', id: 'default' });
    assert.deepEqual(history.needed, { entries: 0, bytes: 0 });
  });
});

describe('History of special journals', () => {
  let history: History;
  beforeEach(() => {
    history = new History('default');
  });
  const add = (...entries: HistoryEntry[]): void => {
    for (const entry of entries) history.add(entry);
  };
  const has = (...ids: string[]) => ids.filter((id) => history.has(id));
  const snapshot = (id: string): JournalEntry => ({ op: 'snapshot', id });
  const revert = (id: string): JournalEntry => ({ op: 'revert', id });
  const executed = (sequence: number, count: number): JournalEntry => ({
    op: 'send',
    calls: [],
    timestamp: sequence,
    executed: { sequence, day: '2025-06-20', count },
  });

  it('continues with the ids and the sequence of a rewritten journal', () => {
    history = new History('default', { nextSnapshot: 10, executed: 7, entries: [step(1)] });
    assert.deepEqual([history.nextId, history.executed, history.entries], ['0xa', 7, 1]);
    add(executed(3, 1), snapshot('0x4'));
    assert.deepEqual([history.nextId, history.executed], ['0xa', 7]);
    add(executed(8, 1), snapshot('0xa'));
    assert.deepEqual([history.nextId, history.executed], ['0xb', 8]);
    history.rewritten({ nextSnapshot: 4, executed: 2, entries: [step(2)] });
    assert.deepEqual([history.nextId, history.executed, history.entries], ['0x4', 2, 1]);
    assert.deepEqual([methods(history), history.named, has('0xa')], [['m2'], [], []]);
    assert.equal(history.needed.entries, 1);
  });

  it('counts the transactions that were not reverted', () => {
    add(executed(1, 2), snapshot('0x0'), executed(2, 3), keep('a'), executed(3, 4));
    assert.equal(history.transactions, 9);
    add({ op: 'revert', id: 'a', inline: true }, executed(4, 1));
    assert.equal(history.transactions, 6);
    add({ op: 'revert', id: '0x0', inline: true });
    assert.equal(history.transactions, 2);
    add({ op: 'revert', id: 'default', inline: true }, step(1));
    assert.equal(history.transactions, 0);
  });

  it('refuses a revert to an unknown snapshot', () => {
    assert.throws(
      () => {
        add(revert('0x5'));
      },
      { message: 'there is no snapshot 0x5' },
    );
    assert.equal(history.isNamed('default'), false);
    add(keep('a'));
    assert.deepEqual([history.isNamed('a'), history.isNamed('b')], [true, false]);
  });

  it('lists named snapshots by their time, each once', () => {
    add(keep('2'), keep('3'), keep('1'), keep('2'));
    assert.deepEqual(
      history.named.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.equal(history.named[1]?.name, '2');
  });

  it('has after a revert only the snapshots from before, if they are not consumed', () => {
    add(snapshot('0x0'), keep('a'), snapshot('0x1'), revert('a'));
    assert.deepEqual(has('default', '0x0', '0x1', 'a'), ['default', '0x0', 'a']);
    add(revert('0x0'), revert('a'));
    assert.deepEqual(has('0x0', '0x1', 'a'), ['a']);
    add(snapshot('0x2'), revert('default'));
    assert.deepEqual(has('0x2', 'a'), ['a']);
  });

  it('forgets a snapshot of either kind', () => {
    add(snapshot('0x0'), snapshot('0x1'), keep('a'), keep('b'));
    add({ op: 'forget', id: '0x0' }, { op: 'forget', id: 'a' });
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
    const pooled: JournalEntry = { ...keep('a'), pool: true } as JournalEntry;
    const drop: JournalEntry = { op: 'call', method: 'anvil_dropAllTransactions', params: [] };
    add(pooled, step(1), revert('a'));
    assert.deepEqual(history.script, [pooled, drop]);
    add({ op: 'revert', id: 'a', inline: true });
    assert.deepEqual(history.script.slice(2), [{ op: 'revert', id: 'a', inline: true }]);
  });

  it('keeps the script of a named snapshot that is no longer on the way', () => {
    add(step(1), keep('a'), step(2), keep('b'), revert('default'), step(3));
    assert.deepEqual(history.compacted().entries, [
      ...[step(1), keep('a'), revert('default')],
      ...[step(1), keep('a'), step(2), keep('b'), revert('default')],
      step(3),
    ]);
    assert.equal(history.needed.entries, 7);
    add(revert('b'));
    assert.deepEqual(history.script, [step(1), keep('a'), step(2), keep('b')]);
    assert.equal(history.needed.entries, 4);
    add(revert('a'));
    assert.equal(history.needed.entries, 6);
  });

  it('is wasteful from 513 superfluous entries, and later if it could not be rewritten', () => {
    const rounds = (count: number): void => {
      for (let i = 0; i < count; i++) add(step(i), revert('default'));
    };
    rounds(256);
    assert.deepEqual([history.entries, history.needsCompaction], [512, false]);
    add(step(1));
    assert.equal(history.needsCompaction, false, 'what is needed counts twice');
    add(revert('default'));
    assert.equal(history.needsCompaction, true);
    history.notRewritten();
    assert.equal(history.needsCompaction, false);
    rounds(255);
    assert.deepEqual([history.entries, history.needsCompaction], [1_024, false]);
    rounds(1);
    assert.equal(history.needsCompaction, true);
    history.rewritten(history.compacted());
    rounds(257);
    assert.equal(history.needsCompaction, true, 'the old limit counts after a rewrite');
  });
});
