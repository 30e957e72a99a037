import assert from 'node:assert/strict';
import { RecentEntries } from '../../../../extension/recent/recent-entries';
import { recentGroups } from '../../../../extension/recent/recent-groups';
import type { RecentSubject } from '../../../../extension/model/recent';

const transaction = (number: number): RecentSubject => ({
  kind: 'transaction',
  chain: 'eth',
  transaction: `0x${number.toString(16).padStart(64, '0')}`,
});

describe('what was opened', () => {
  const kept = new Map<string, unknown>();
  let time = 0;
  const memory = {
    get: (key: string) => structuredClone(kept.get(key)),
    update: (key: string, value: unknown) => {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
  const fresh = () => new RecentEntries(memory, () => ++time);
  beforeEach(() => {
    kept.clear();
    time = 0;
  });
  const titles = (recent: RecentEntries) => recent.list().map(({ title }) => title);

  it('is listed newest first, each once, and kept for the next window', () => {
    const recent = fresh();
    recent.note(transaction(1), 'one');
    recent.note(transaction(2), 'two');
    recent.note({ ...transaction(1), chain: 'ETH' } as RecentSubject, 'one again');
    assert.deepEqual(titles(fresh()), ['one again', 'two']);
  });

  it('takes a better title', () => {
    const recent = fresh();
    recent.note(transaction(1), '0x0000…0001');
    recent.retitle(transaction(1), 'swap');
    recent.retitle(transaction(2), 'never opened');
    assert.deepEqual(titles(recent), ['swap']);
    assert.equal(recent.titleOf(transaction(1)), 'swap');
    assert.equal(recent.titleOf(transaction(2)), undefined);
  });

  it('keeps what is pinned when the list is cleared or full', () => {
    const recent = fresh();
    recent.note(transaction(0), 'pinned');
    recent.pin(recent.list()[0]!, true);
    for (let number = 1; number <= 120; number++) recent.note(transaction(number), String(number));
    assert.equal(recent.list().length, 101);
    assert.equal(titles(recent)[0], '120');
    assert.equal(titles(recent).at(-1), 'pinned');
    recent.note(transaction(0), 'pinned still');
    recent.clear();
    assert.deepEqual(recent.list(), [
      { subject: transaction(0), title: 'pinned still', time: 122, pinned: true },
    ]);
    recent.pin(recent.list()[0]!, false);
    recent.clear();
    assert.deepEqual(recent.list(), []);
  });

  it('removes one entry', () => {
    const recent = fresh();
    recent.note(transaction(1), 'one');
    recent.note(transaction(2), 'two');
    recent.remove(recent.list()[0]!);
    assert.deepEqual(titles(recent), ['one']);
  });

  it('leaves out simulations that are too large, and entries of another form', () => {
    const recent = fresh();
    const request = {
      from: `0x${'0'.repeat(40)}` as const,
      data: `0x${'00'.repeat(30_000)}` as const,
    };
    recent.note({ kind: 'simulation', chain: 'eth', request }, 'large');
    assert.deepEqual(recent.list(), []);
    kept.set('forklens.recent', [{ subject: { kind: 'other' }, title: 'x', time: 1 }, null, 7]);
    assert.deepEqual(recent.list(), []);
    kept.set('forklens.recent', 'text');
    assert.deepEqual(recent.list(), []);
  });

  it('is grouped by day', () => {
    const DAY = 86_400_000;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const now = Date.parse('2026-11-23T10:00:00Z');
    const entry = (title: string, at: number, pinned?: true) => ({
      subject: transaction(at),
      title,
      time: at,
      ...(pinned && { pinned }),
    });
    const groups = recentGroups(
      [
        entry('a', now),
        entry('b', now - DAY),
        entry('c', now - DAY - 1),
        entry('d', now - 9 * DAY),
        entry('e', now - 20 * DAY, true),
      ],
      now,
      day,
    );
    assert.deepEqual(
      groups.map(({ label, entries }) => [label, entries.map(({ title }) => title).join()]),
      [
        ['Pinned', 'e'],
        ['Today', 'a'],
        ['Yesterday', 'b,c'],
        ['2026-11-14', 'd'],
      ],
    );
  });
});
