import assert from 'node:assert/strict';
import fc from 'fast-check';
import { History } from '../../../../server/forks/writes/history';
import { EMPTY_JOURNAL, type HistoryEntry } from '../../../../server/forks/writes/journal';
import {
  addTo,
  executed,
  keep,
  methods,
  revert,
  snapshot,
  step,
} from '../../../support/journal-entries';

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

describe('the compaction of a journal', () => {
  let history: History;
  beforeEach(() => {
    history = new History('default');
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

  it('continues with the ids and the sequence of a rewritten journal', () => {
    history = new History('default', { nextSnapshot: 10, executed: 7, entries: [step(1)] });
    assert.deepEqual([history.nextId, history.executed, history.entries], ['0xa', 7, 1]);
    addTo(history, executed(3, 1), snapshot('0x4'));
    assert.deepEqual([history.nextId, history.executed], ['0xa', 7]);
    addTo(history, executed(8, 1), snapshot('0xa'));
    assert.deepEqual([history.nextId, history.executed], ['0xb', 8]);
    history.rewritten({ nextSnapshot: 4, executed: 2, entries: [step(2)] });
    assert.deepEqual([history.nextId, history.executed, history.entries], ['0x4', 2, 1]);
    assert.deepEqual([methods(history), history.named, history.has('0xa')], [['m2'], [], false]);
    assert.equal(history.needed.entries, 1);
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

  it('is wasteful from 513 superfluous entries, and later if it could not be rewritten', () => {
    const rounds = (count: number): void => {
      for (let i = 0; i < count; i++) addTo(history, step(i), revert('default'));
    };
    rounds(256);
    assert.deepEqual([history.entries, history.needsCompaction], [512, false]);
    addTo(history, step(1));
    assert.equal(history.needsCompaction, false, 'what is needed counts twice');
    addTo(history, revert('default'));
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
