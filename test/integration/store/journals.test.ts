import assert from 'node:assert/strict';
import type { Storage } from '../../../server/composition/storage';
import type { ForkRecord } from '../../../server/forks/life/fork-record';
import {
  wholeEntry,
  type HistoryEntry,
  type JournalEntry,
} from '../../../server/forks/writes/journal';
import { describeStorages } from '../../support/storages';

const step = (method: string, ...params: unknown[]): JournalEntry => ({
  op: 'call',
  method,
  params,
});

const RECORD: ForkRecord = {
  forkId: 'fork_1',
  projectId: 'p',
  name: 'f',
  chain: 'eth',
  chainId: 1,
  height: 1,
  position: null,
  base: 1,
  prefix: 0,
  hardfork: 'prague',
  antiReplay: false,
  secret: '0',
  snapshotId: 's',
  createTime: '2026-03-01T12:00:00.000Z',
};

/** Sizes of payloads: in memory, in a row, in one part, in several parts whose borders cut characters. */
const SIZES = [10, 1_000, 100_000, 1_500_000];
const large = (size: number): JournalEntry => ({
  op: 'send',
  calls: [{ method: 'eth_sendTransaction', params: [{ data: 'ä€😀'.repeat(size / 9) }] }],
  timestamp: size,
  executed: { sequence: 1, day: '2026-03-01', count: 1 },
});

describeStorages('journals', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
    await storage.forks.put('fork_1', RECORD);
    await storage.journals.create('fork_1');
    await storage.journals.confirm('fork_1');
  });

  async function read(forkId = 'fork_1') {
    const { contents, close } = await storage.journals.read(forkId);
    try {
      return { ...contents, entries: await wholeEntries(contents.entries) };
    } finally {
      await close();
    }
  }
  const wholeEntries = (entries: readonly HistoryEntry[]) => Promise.all(entries.map(wholeEntry));
  const methods = async (): Promise<string[]> =>
    (await read()).entries.flatMap((entry) => (entry.op === 'call' ? [entry.method] : []));

  it('contain the appended entries, after the earlier ones, once they are acknowledged', async () => {
    const first = await storage.journals.open('fork_1');
    assert.deepEqual(first.contents, { nextSnapshot: 0, executed: 0, entries: [] });
    await first.journal.append(step('a'));
    await first.journal.append(step('b', { nested: ['"', '\u0000', '\ud800', 1.5] }));
    await first.journal.close();
    storage = await test.open();
    const { journal, contents } = await storage.journals.open('fork_1');
    assert.deepEqual(contents.entries, [
      step('a'),
      step('b', { nested: ['"', '\u0000', '\ud800', 1.5] }),
    ]);
    await journal.append(step('c'));
    assert.deepEqual(await methods(), ['a', 'b', 'c']);
    await journal.close();
    await assert.rejects(journal.append(step('d')), {
      kind: 'engineUnavailable',
      message: "the fork's engine ended; try again",
    });
    await assert.rejects(journal.rewrite(contents), { kind: 'engineUnavailable' });
    assert.deepEqual(await methods(), ['a', 'b', 'c']);
  });

  it('keep large payloads out of memory, and read them again, also after a rewrite', async () => {
    const { journal } = await storage.journals.open('fork_1');
    const kept: HistoryEntry[] = [];
    for (const size of SIZES) kept.push(await journal.append(large(size)));
    assert.deepEqual(
      kept.map((entry) => 'stored' in entry),
      [false, true, true, true],
    );
    const before = journal.bytes;
    assert.ok(before > 1_600_000 && before < 1_650_000, `${before} bytes`);
    assert.deepEqual(await wholeEntries(kept), SIZES.map(large));

    const { contents, close } = await storage.journals.read('fork_1');
    assert.deepEqual(await wholeEntries(contents.entries), SIZES.map(large));
    await close();
    for (const entry of contents.entries) {
      assert.deepEqual(entry.executed, { sequence: 1, day: '2026-03-01', count: 1 });
      assert.equal('timestamp' in entry && typeof entry.timestamp, 'number');
    }

    await journal.rewrite({ nextSnapshot: 2, executed: 1, entries: [step('x'), ...kept] });
    assert.deepEqual(await wholeEntries(kept), SIZES.map(large), 'they have moved');
    await journal.append(step('y'));
    const all = [step('x'), ...SIZES.map(large), step('y')];
    assert.deepEqual(await read(), { nextSnapshot: 2, executed: 1, entries: all });
    await journal.close();
    storage = await test.open();
    assert.deepEqual(await read(), { nextSnapshot: 2, executed: 1, entries: all });
  });

  it('are read by pages, in order', async () => {
    const { journal } = await storage.journals.open('fork_1');
    const entries = Array.from({ length: 1_000 }, (_, i) => step(`m${i}`, 'x'.repeat(300)));
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries });
    await journal.append(step('last'));
    await journal.close();
    const found = await read();
    assert.deepEqual(found.entries, [...entries, step('last')]);
  });

  it('stay readable in a snapshot while they are rewritten', async () => {
    const { journal } = await storage.journals.open('fork_1');
    await journal.append(large(1_000));
    await journal.append(large(100_000));
    const snapshot = await storage.journals.read('fork_1');
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [step('x')] });
    assert.deepEqual(await wholeEntries(snapshot.contents.entries), [1_000, 100_000].map(large));
    await snapshot.close();
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [step('y')] });
    assert.deepEqual(await methods(), ['y']);
    await journal.close();
  });

  it('are copied to another fork, with payloads', async () => {
    const { journal } = await storage.journals.open('fork_1');
    for (const size of SIZES) await journal.append(large(size));
    const { contents, close } = await storage.journals.read('fork_1');
    await storage.journals.create('fork_2');
    const other = await storage.journals.open('fork_2');
    await other.journal.rewrite(contents);
    await other.journal.close();
    await close();
    await journal.close();
    await storage.journals.remove('fork_1', () => Promise.resolve());
    assert.deepEqual((await read('fork_2')).entries, SIZES.map(large));
  });

  it('are missing after their removal, unless the record cannot be removed', async () => {
    const { journal } = await storage.journals.open('fork_1');
    await journal.append(step('a'));
    await journal.close();
    const failure = new Error('the record stays');
    await assert.rejects(
      storage.journals.remove('fork_1', () => Promise.reject(failure)),
      failure,
    );
    assert.deepEqual(await methods(), ['a']);
    await storage.journals.remove('fork_1', () => Promise.resolve());
    await assert.rejects(read(), { kind: 'engineUnavailable', message: /fork_1.* is missing: / });
    await assert.rejects(storage.journals.open('fork_1'), { kind: 'engineUnavailable' });
    await storage.journals.remove('fork_1', () => Promise.resolve());
  });
});
