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
