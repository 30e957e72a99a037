import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonAccountStore } from '../../../server/store/json-account-store';
import { JsonForkStore } from '../../../server/store/json-fork-store';
import { JsonStore } from '../../../server/store/json-store';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const NOW = '2026-03-01T12:00:00.000Z';

describe('JsonStore', () => {
  let directory: string;
  const warnings: string[] = [];
  const open = () =>
    JsonStore.open(
      directory,
      () => new Date(NOW),
      (_facts, text) => warnings.push(text),
    );
  const user = (id: string) => ({
    userId: id,
    nickname: id,
    email: `${id}@example.org`,
    createTime: NOW,
  });
  const readUsers = async (): Promise<string[]> => {
    const text = await readFile(join(directory, 'store.json'), 'utf8');
    return Object.keys((JSON.parse(text) as { users: object }).users);
  };
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    warnings.length = 0;
  });
  afterEach(() => removeDirectory(directory));

  it('has each change on disk when its promise resolves, in order', async () => {
    const store = await open();
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (id) => {
        await store.change((data) => {
          data.users[id] = user(id);
        });
        assert.ok((await readUsers()).includes(id));
      }),
    );
    assert.deepEqual(await readUsers(), ['a', 'b', 'c', 'd']);
    assert.deepEqual((await open()).data, store.data);
    assert.deepEqual(await readdir(directory), ['store.json']);
    assert.deepEqual(warnings, []);
  });

  it('tells of a failed write, and catches up with the next one', async () => {
    const store = await open();
    await rename(directory, `${directory}-away`);
    await assert.rejects(
      store.change((data) => {
        data.users['a'] = user('a');
      }),
      { code: 'ENOENT' },
    );
    await rename(`${directory}-away`, directory);
    await store.change((data) => {
      data.users['b'] = user('b');
    });
    assert.deepEqual(await readUsers(), ['a', 'b']);
    await store.settled();
  });

  it('removes what a killed process left half-written, and nothing else', async () => {
    for (const name of ['store.json.123456', 'store.json.corrupt-1', 'store.json.bak']) {
      await writeFile(join(directory, name), 'x');
    }
    await open();
    assert.deepEqual(await readdir(directory), ['store.json.bak', 'store.json.corrupt-1']);
  });

  it('names the damaged file by the time at which it was found', async () => {
    await writeFile(join(directory, 'store.json'), '{');
    await open();
    assert.deepEqual(await readdir(directory), ['store.json.corrupt-2026-03-01T12-00-00.000Z']);
    assert.equal(warnings.length, 1);
  });

  it('counts usage by project and day, and forgets it with the project', async () => {
    const store = new JsonAccountStore(await open());
    const project = {
      projectId: 'p',
      ownerId: 'a',
      name: 'p',
      createTime: NOW,
      collaboratorIds: [],
    };
    assert.equal(await store.insertProject(project, 1), true);
    assert.equal(await store.insertProject({ ...project, projectId: 'q' }, 1), false);
    const add = (projectId: string, sequence: number, day: string, count: number) =>
      store.addUsage(projectId, { forkId: 'fork', sequence, day, count });
    await add('p', 1, '2026-02-28', 2);
    await add('p', 2, '2026-03-01', 1);
    await add('p', 3, '2026-03-01', 3);
    await add('gone', 4, '2026-03-01', 3);
    assert.equal(await store.sumUsage('p', '2026-03-01', '2026-03-31'), 4);
    assert.equal(await store.sumUsage('p', '2026-02-01', '2026-03-01'), 6);
    assert.equal(await store.sumUsage('gone', '2026-02-01', '2026-03-01'), 0);
    await store.deleteProject('p');
    assert.equal(await store.sumUsage('p', '2026-02-01', '2026-03-01'), 0);
  });

  it('counts what a fork executed once, over restarts', async () => {
    const fork = {
      ...{ forkId: 'fork', projectId: 'p', name: 'f', chain: 'eth', chainId: 1, height: 1 },
      ...{ position: null, base: 1, prefix: 0, hardfork: 'prague' as const, antiReplay: false },
      ...{ secret: '0', snapshotId: 's', createTime: NOW },
    };
    const project = { projectId: 'p', ownerId: 'a', name: 'p', createTime: NOW };
    const first = await open();
    await new JsonAccountStore(first).insertProject({ ...project, collaboratorIds: [] }, 1);
    await new JsonForkStore(first).put('fork', fork);
    for (const store of [first, await open()]) {
      const accounts = new JsonAccountStore(store);
      for (const [sequence, count] of [
        [1, 2],
        [2, 5],
      ] as const) {
        await accounts.addUsage('p', { forkId: 'fork', sequence, day: '2026-03-01', count });
      }
      assert.equal(await accounts.sumUsage('p', '2026-03-01', '2026-03-01'), 7);
      assert.equal(new JsonForkStore(store).list()[0]?.counted, 2);
    }
  });
});
