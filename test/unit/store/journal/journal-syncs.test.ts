import assert from 'node:assert/strict';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../../../../server/forks/writes/journal';
import { JournalFiles } from '../../../../server/store/journal/journal-folder';
import { eventually } from '../../../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const step = (method: string): JournalEntry => ({ op: 'call', method, params: [] });

describe('syncs of JournalFiles', () => {
  let folder: string;
  let journals: JournalFiles;
  let synced: number;
  let failure: Error | undefined;
  const snapshot = (id: number): JournalEntry => ({ op: 'snapshot', id: `0x${id}` });
  const openCounted: typeof open = async (...parameters) => {
    const file = await open(...parameters);
    const datasync = file.datasync.bind(file);
    file.datasync = async () => {
      if (failure) throw failure;
      await datasync();
      synced = (await file.stat()).size;
    };
    return file;
  };
  const size = async (): Promise<number> => (await stat(join(folder, 'fork_1.journal'))).size;
  const length = async (): Promise<number> => {
    const { contents, close } = await journals.read('fork_1');
    await close();
    return contents.entries.length;
  };
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    journals = new JournalFiles(folder, () => undefined, openCounted);
    await journals.create('fork_1');
    await journals.confirm('fork_1');
    const { journal } = await journals.open('fork_1');
    await journal.append(step('a'));
    await journal.close();
    [synced, failure] = [0, undefined];
  });

  afterEach(() => removeDirectory(folder));

  it('write snapshots and reverts at once, and sync them with the next change', async () => {
    const { journal } = await journals.open('fork_1');
    await journal.append(snapshot(0));
    await journal.append({ op: 'revert', id: '0x0' });
    assert.equal(await length(), 3);
    assert.equal(synced, 0);
    await journal.append(step('b'));
    assert.equal(synced, await size());
    await journal.close();
  });

  it('sync them after a short time, and when they are closed', async () => {
    const { journal } = await journals.open('fork_1');
    await journal.append(snapshot(0));
    await eventually(async () => {
      assert.equal(synced, await size());
    });
    await journal.append(snapshot(1));
    await journal.close();
    assert.equal(synced, await size());
  });

  it('accept nothing more if they cannot be synced', async () => {
    const { journal } = await journals.open('fork_1');
    failure = Object.assign(new Error('EIO'), { code: 'EIO' });
    await journal.append(snapshot(0));
    let id = 0;
    await eventually(() => assert.rejects(journal.append(snapshot(++id)), failure));
    await assert.rejects(journal.append(step('b')), failure);
    await journal.close();
  });
});
