import assert from 'node:assert/strict';
import {
  appendFile,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { JournalFiles } from '../../../../server/store/journal/journal-folder';
import {
  wholeEntry,
  type JournalEntry,
  type HistoryEntry,
} from '../../../../server/forks/writes/journal';
import { readLines } from '../../../../server/store/journal/read-lines';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';
import { FullDisk } from '../../../support/full-disk';

const call = (name: string, ...params: string[]): JournalEntry => ({
  op: 'call',
  method: name,
  params,
});
const step = (name: string): JournalEntry => call(name);

describe('JournalFiles', () => {
  let folder: string;
  let warnings: string[];
  let disk: FullDisk;
  let journals: JournalFiles;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    warnings = [];
    disk = new FullDisk();
    journals = new JournalFiles(folder, (_, message) => warnings.push(message), disk.open);
  });
  afterEach(() => removeDirectory(folder));

  const path = (): string => join(folder, 'fork_1.journal');
  /** The complete content of a journal, with payloads. */
  async function read(forkId = 'fork_1') {
    const { contents, close } = await journals.read(forkId);
    try {
      return { ...contents, entries: await Promise.all(contents.entries.map(wholeEntry)) };
    } finally {
      await close();
    }
  }
  const methods = async (): Promise<string[]> =>
    (await read()).entries.flatMap((entry) => (entry.op === 'call' ? [entry.method] : []));
  /** Creates a journal with these entries. */
  async function write(...names: string[]): Promise<void> {
    await journals.create('fork_1');
    await journals.confirm('fork_1');
    const { journal } = await journals.open('fork_1');
    for (const name of names) await journal.append(step(name));
    await journal.close();
  }
  const unusable = (message: RegExp) => ({ kind: 'engineUnavailable', message });

  it('contain the appended entries, after the earlier ones', async () => {
    await write('a', 'b');
    const { journal, contents } = await journals.open('fork_1');
    assert.deepEqual(contents, { nextSnapshot: 0, executed: 0, entries: [step('a'), step('b')] });
    await journal.append(step('c'));
    assert.deepEqual(await methods(), ['a', 'b', 'c']);
    await journal.close();
    await assert.rejects(journal.append(step('d')), unusable(/^the fork's engine ended/));
    assert.deepEqual(await methods(), ['a', 'b', 'c']);
  });

  for (const [what, tear] of [
    ['cut off', (size: number) => truncate(path(), size - 3)],
    ['begun', () => appendFile(path(), '0123')],
    ['zeros', (size: number) => truncate(path(), size + 4096)],
    [
      'zeros at first',
      () => appendFile(path(), Buffer.concat([Buffer.alloc(4096), Buffer.from('"}\n')])),
    ],
  ] as const) {
    it(`drop a last record that is ${what}, with a warning, and append after the entry before it`, async () => {
      await write('a', 'b');
      await tear((await readFile(path())).length);
      const before = what === 'cut off' ? ['a'] : ['a', 'b'];
      assert.deepEqual(await methods(), before);
      const { journal } = await journals.open('fork_1');
      assert.deepEqual(warnings, ['dropped the incomplete end of a journal']);
      await journal.append(step('c'));
      await journal.close();
      assert.deepEqual(await methods(), [...before, 'c']);
    });
  }

  it('reject damage, and name the file, the line and the remedy', async () => {
    await write('a', 'b', 'c');
    const whole = await readFile(path(), 'utf8');
    const advice =
      /forks\/fork_1\.journal in the data directory, is damaged at line \d: replace the file with a backup, or delete the fork$/;
    for (const [damaged, line] of [
      [whole.replace('"a"', '"x"'), 2],
      [whole.replace('"c"', '"x"'), 4],
      [whole.replace('{"format"', '{"farmat"'), 1],
      [whole.replace('"nextSnapshot":0', '"nextSnapshot":1'), 1],
      [whole.replace('"version":2', '"version":0'), 1],
      [whole.replace(/^.*/, 'null'), 1],
      ['', 1],
    ] as const) {
      await writeFile(path(), damaged);
      await assert.rejects(read(), unusable(advice));
      await assert.rejects(journals.open('fork_1'), unusable(new RegExp(`at line ${line}:`)));
      assert.equal(await readFile(path(), 'utf8'), damaged, 'it is unchanged');
    }
    await writeFile(path(), whole);
    assert.deepEqual(await methods(), ['a', 'b', 'c']);
  });

  it('reject a journal that is missing, is a folder, or is of a newer version', async () => {
    await assert.rejects(journals.open('fork_1'), unusable(/ is missing: restore a backup of it/));
    await mkdir(path());
    await assert.rejects(read(), unusable(/ is a folder: restore a backup of it/));
    await assert.rejects(journals.open('fork_1'), unusable(/ is a folder/));
    await rmdir(path());
    await write('a');
    const text = await readFile(path(), 'utf8');
    await writeFile(path(), text.replace('"version":2', '"version":3'));
    await assert.rejects(
      journals.open('fork_1'),
      unusable(/ has version 3, .* supports versions up to 2: use a newer Forklens/),
    );
  });

  it('reject the journal of another fork', async () => {
    await write('a');
    await rename(path(), join(folder, 'fork_2.journal'));
    await assert.rejects(
      journals.open('fork_2'),
      unusable(/ is the journal of the fork fork_1: restore its own, or delete the fork$/),
    );
  });

  it('read journals of version 1, whose header has no checksum', async () => {
    await write('a');
    const text = await readFile(path(), 'utf8');
    const header = '{"format":"forklens-journal","version":1,"nextSnapshot":3,"executed":7}';
    await writeFile(path(), text.replace(/^.*/, header));
    assert.deepEqual(await read(), { nextSnapshot: 3, executed: 7, entries: [step('a')] });
  });

  it('keep acknowledged entries when the disk is full, and accept new ones once it has space', async () => {
    await write('a');
    const { journal } = await journals.open('fork_1');
    await journal.append(step('b'));
    disk.isFull = true;
    await assert.rejects(journal.append(step('c')), { kind: 'storageFull', code: 50700 });
    await assert.rejects(journals.create('fork_2'), { kind: 'storageFull' });
    assert.deepEqual(await readdir(folder), ['fork_1.journal']);
    assert.deepEqual(await methods(), ['a', 'b']);
    disk.isFull = false;
    await journal.append(step('d'));
    await journal.close();
    assert.deepEqual(await methods(), ['a', 'b', 'd']);
    assert.deepEqual(warnings, [], 'no line is incomplete');
  });

  it('are rewritten completely or not at all, and continue in the valid file', async () => {
    await write('a');
    const { journal } = await journals.open('fork_1');
    const rewritten = { nextSnapshot: 3, executed: 7, entries: [step('x')] };
    disk.isFull = true;
    await assert.rejects(journal.rewrite(rewritten), { kind: 'storageFull' });
    disk.isFull = false;
    await journal.append(step('b'));
    assert.deepEqual(await methods(), ['a', 'b']);
    await journal.rewrite(rewritten);
    await journal.append(step('c'));
    await journal.close();
    assert.deepEqual(await read(), {
      ...rewritten,
      entries: [step('x'), step('c')],
    });
    assert.deepEqual(await readdir(folder), ['fork_1.journal']);
  });

  it('are rewritten under their current name', async () => {
    await journals.create('fork_1');
    const { journal } = await journals.open('fork_1');
    await journals.confirm('fork_1');
    await journal.append(step('a'));
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [step('b')] });
    await journal.append(step('c'));
    await journal.close();
    assert.deepEqual(await methods(), ['b', 'c']);
    assert.deepEqual(await readdir(folder), ['fork_1.journal']);
  });

  it('accept no more entries if it is uncertain which file is valid', async () => {
    await write('a');
    const { journal } = await journals.open('fork_1');
    await rename(path(), join(folder, 'aside'));
    await mkdir(path());
    await assert.rejects(journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [] }));
    await assert.rejects(journal.append(step('b')), unusable(/^the fork's engine ended/));
    await journal.close();
    await rmdir(path());
    await rename(join(folder, 'aside'), path());
    assert.deepEqual(await methods(), ['a']);
  });

  it('clean up after a killed service, and delete no journal of a confirmed fork', async () => {
    for (const forkId of ['fork_1', 'fork_2', 'fork_3', 'fork_4', 'fork_5', 'fork_6']) {
      await journals.create(forkId);
      const { journal } = await journals.open(forkId);
      if (forkId !== 'fork_6') await journal.append(step(forkId));
      await journal.close();
      if (forkId !== 'fork_4' && forkId !== 'fork_5') await journals.confirm(forkId);
    }
    await writeFile(join(folder, 'fork_1.new'), 'half');
    // Their deletion had begun; they stay deleted only if their record is gone.
    for (const forkId of ['fork_1', 'fork_2']) {
      await rename(join(folder, `${forkId}.journal`), join(folder, `${forkId}.deleted`));
    }
    await journals.tidy((forkId) => forkId === 'fork_1' || forkId === 'fork_5');
    // fork_4 was not confirmed; fork_3 and fork_6, which has no entries, lost their records.
    const left = ['fork_1', 'fork_3', 'fork_5', 'fork_6'].map((forkId) => `${forkId}.journal`);
    assert.deepEqual((await readdir(folder)).sort(), left);
    assert.deepEqual(await methods(), ['fork_1']);
    assert.deepEqual(warnings, [
      'no fork has this journal; the file is kept',
      'no fork has this journal; the file is kept',
    ]);
  });

  it('are not removed if the record cannot be removed', async () => {
    await write('a');
    const failed = journals.remove('fork_1', () => Promise.reject(new Error('no space')));
    await assert.rejects(failed, /no space/);
    assert.deepEqual(await methods(), ['a']);
    await journals.remove('fork_1', () => Promise.resolve());
    assert.deepEqual(await readdir(folder), []);
    await new JournalFiles(join(folder, 'none'), () => undefined).tidy(() => true);
  });

  it('are cut before a damaged entry, and the complete file is kept', async () => {
    await write('a', 'b', 'c');
    const damaged = (await readFile(path(), 'utf8')).replace('"b"', '"x"');
    await writeFile(path(), damaged);
    assert.equal(await journals.cut('fork_1', '.damaged'), 1);
    assert.deepEqual(await methods(), ['a']);
    assert.equal(await readFile(`${path()}.damaged`, 'utf8'), damaged);
    await writeFile(path(), 'x');
    await assert.rejects(journals.cut('fork_1', '.damaged'), unusable(/damaged at line 1/));
  });

  it('keep large entries on disk only, and read them again, also after a rewrite', async () => {
    await write();
    const { journal } = await journals.open('fork_1');
    const large = (fill: string): JournalEntry => call('large', fill.repeat(300_000));
    const kept = [];
    for (const fill of ['a', 'b', 'ü']) kept.push(await journal.append(large(fill)));
    assert.deepEqual(
      kept.map((entry) => 'params' in entry),
      [false, false, false],
    );
    const [a, b, c] = kept as [HistoryEntry, HistoryEntry, HistoryEntry];
    assert.deepEqual(await Promise.all([a, b, c].map(wholeEntry)), ['a', 'b', 'ü'].map(large));
    const size = journal.bytes;
    assert.equal((await stat(path())).size, size);
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [c, step('x'), b] });
    assert.ok(journal.bytes < size);
    assert.deepEqual(await Promise.all([b, c].map(wholeEntry)), ['b', 'ü'].map(large));
    await journal.append(large('d'));
    await journal.close();
    assert.deepEqual((await read()).entries, [large('ü'), step('x'), large('b'), large('d')]);
    const { contents, close } = await journals.read('fork_1');
    await writeFile(path(), (await readFile(path(), 'utf8')).replace('bbb', 'bab'));
    await assert.rejects(wholeEntry(contents.entries[2]!), unusable(/ is damaged after byte \d+/));
    await close();
  });

  it('count a line beyond the maximum length as damaged or torn', async () => {
    await write('a');
    const file = await open(path());
    const before = (await file.stat()).size;
    const long = Buffer.alloc(300_000, 'x');
    await appendFile(path(), long);
    const sizes = async (): Promise<unknown[]> => {
      const lines = [];
      for await (const { bytes, size, hasZero } of readLines(file, 1_000)) {
        lines.push([bytes?.length, size, hasZero]);
      }
      return lines.slice(1);
    };
    const first = before - (await readFile(path(), 'utf8')).indexOf('\n') - 1;
    const a = [first - 1, first, false];
    assert.deepEqual(await sizes(), [a]);
    await appendFile(path(), '\0\nshort\n');
    assert.deepEqual(await sizes(), [a, [undefined, 300_002, true], [5, 6, false]]);
    await file.close();
    await assert.rejects(read(), unusable(/ at line 3:/));
  });

  it('are private to their user', async () => {
    await write();
    const handle = await open(path());
    const { mode } = await handle.stat();
    await handle.close();
    assert.equal(mode & 0o777, 0o600);
  });
});
