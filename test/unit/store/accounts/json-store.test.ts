import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JsonAccountStore } from '../../../../server/store/accounts/json-account-store';
import { JsonForkStore } from '../../../../server/store/accounts/json-fork-store';
import { JsonStore } from '../../../../server/store/accounts/json-store';
import { FullDisk } from '../../../support/full-disk';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NOW = '2026-03-01T12:00:00.000Z';

const fork = {
  forkId: 'fork',
  projectId: 'p',
  name: 'f',
  chain: 'eth',
  chainId: 1,
  height: 1,
  position: null,
  base: 1,
  prefix: 0,
  hardfork: 'prague' as const,
  antiReplay: false,
  secret: '0',
  snapshotId: 's',
  createTime: NOW,
};

describe('JsonStore', () => {
  let directory: string;
  const warnings: string[] = [];
  const disk = new FullDisk();
  const opened: JsonStore[] = [];
  const open = async () => {
    const store = await JsonStore.open(
      directory,
      () => new Date(NOW),
      (_facts, text) => warnings.push(text),
      disk.write,
    );
    opened.push(store);
    return store;
  };
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
    disk.isFull = false;
  });
  afterEach(async () => {
    await Promise.allSettled(opened.splice(0).map((store) => store.settled()));
    await removeDirectory(directory);
  });

  it('writes each change to disk before its promise resolves, in order', async () => {
    const store = await open();
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (id) => {
        await store.change((data) => {
          data.users[id] = user(id);
          return true;
        });
        assert.ok((await readUsers()).includes(id));
      }),
    );
    assert.deepEqual(await readUsers(), ['a', 'b', 'c', 'd']);
    assert.deepEqual((await open()).data, store.data);
    assert.deepEqual(await readdir(directory), ['generations', 'store.json']);
    assert.deepEqual(warnings, []);
  });

  it('discards changes that cannot be written, and continues with the next one', async () => {
    const store = await open();
    const accounts = new JsonAccountStore(store);
    const project = { ownerId: 'a', name: 'p', createTime: NOW, collaboratorIds: [] };
    const insert = (projectId: string) => accounts.insertProject({ ...project, projectId }, 2);
    await insert('p');
    const before = structuredClone(store.data);
    disk.isFull = true;
    const key = { keyId: 'k', userId: 'a', label: '', scopes: [], hash: '0'.repeat(64) };
    for (const change of [
      () => insert('q'),
      () => accounts.deleteProject('p'),
      () => accounts.addCollaborator('p', 'b', 'editor'),
      () => accounts.insertKey({ ...key, createTime: NOW }),
      () => accounts.insertUser(user('b'), { ...project, projectId: 'r' }),
      () => new JsonForkStore(store).put('fork', { ...fork }),
    ]) {
      await assert.rejects(change(), { code: 'ENOSPC' });
      assert.deepEqual(store.data, before);
    }
    assert.equal(await accounts.deleteKey('none'), false, 'nothing to write');
    disk.isFull = false;
    assert.equal(await insert('q'), true);
    assert.deepEqual(Object.keys(store.data.projects), ['p', 'q']);
    assert.deepEqual((await open()).data, store.data);
    await store.settled();
  });

  it('checks limits and names against pending changes', async () => {
    const accounts = new JsonAccountStore(await open());
    const project = { ownerId: 'a', name: 'p', createTime: NOW, collaboratorIds: [] };
    const inserted = ['p', 'q', 'r'].map((projectId) =>
      accounts.insertProject({ ...project, projectId }, 2),
    );
    assert.deepEqual(await Promise.all(inserted), [true, true, false]);
    const added = ['s', 't'].map((projectId) =>
      accounts.insertUser(user('a'), { ...project, projectId }),
    );
    assert.deepEqual(await Promise.all(added), [true, false]);
  });

  it('shows facts of journals immediately, and writes them once there is space again', async () => {
    const store = await open();
    const accounts = new JsonAccountStore(store);
    await new JsonForkStore(store).put('fork', { ...fork });
    const project = { projectId: 'p', ownerId: 'a', name: 'p', createTime: NOW };
    await accounts.insertProject({ ...project, collaboratorIds: [] }, 1);
    disk.isFull = true;
    const usage = { forkId: 'fork', day: '2026-03-01' };
    await assert.rejects(accounts.addUsage('p', { ...usage, sequence: 1, count: 2 }));
    assert.equal(await accounts.sumUsage('p', '2026-03-01', '2026-03-01'), 2);
    disk.isFull = false;
    await accounts.addUsage('p', { ...usage, sequence: 2, count: 5 });
    assert.equal(await accounts.sumUsage('p', '2026-03-01', '2026-03-01'), 7);
    const reopened = new JsonAccountStore(await open());
    assert.equal(await reopened.sumUsage('p', '2026-03-01', '2026-03-01'), 7);
  });

  it('removes half-written files of a killed process, and nothing else', async () => {
    for (const name of ['store.json.123456', 'store.json.corrupt-1', 'store.json.bak']) {
      await writeFile(join(directory, name), 'x');
    }
    await open();
    assert.deepEqual(await readdir(directory), ['store.json.bak', 'store.json.corrupt-1']);
  });

  for (const [what, damage] of [
    ['cut off', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['with a negative count', (text: string) => text.replace('"2026-03-01":3', '"2026-03-01":-1')],
    ['with a text for a height', (text: string) => text.replace('"height":1', '"height":"1"')],
    ['with another name', (text: string) => text.replace('"nickname":"a"', '"nickname":"e"')],
    ['with a list for users', (text: string) => text.replace(/"users":\{.*?\}\}/, '"users":[]')],
  ] as const) {
    it(`restores the newest good copy of a file ${what}, and renames the damaged one`, async () => {
      const store = await open();
      const accounts = new JsonAccountStore(store);
      await accounts.insertUser(user('a'), {
        projectId: 'p',
        ownerId: 'a',
        name: 'p',
        createTime: NOW,
        collaboratorIds: [],
      });
      await new JsonForkStore(store).put('fork', { ...fork });
      await accounts.addUsage('p', { forkId: 'f', sequence: 1, day: '2026-03-01', count: 3 });
      await store.settled();
      const path = join(directory, 'store.json');
      const text = await readFile(path, 'utf8');
      const damaged = damage(text);
      assert.notEqual(damaged, text);
      await writeFile(path, damaged);
      assert.deepEqual((await open()).data, store.data);
      assert.equal(await readFile(path, 'utf8'), text);
      const aside = `${path}.corrupt-2026-03-01T12-00-00.000Z`;
      assert.equal(await readFile(aside, 'utf8'), damaged);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0]!,
        /^store\.json is damaged \(.+\); its newest good copy was restored/,
      );
    });
  }

  it('says that the file is older than a copy of it, and goes on from there', async () => {
    const path = join(directory, 'store.json');
    const store = await open();
    const add = async (target: typeof store, id: string): Promise<void> => {
      await target.change((data) => {
        data.users[id] = user(id);
        return true;
      });
      await target.settled();
    };
    await add(store, 'a');
    const older = await readFile(path, 'utf8');
    await add(store, 'b');
    await writeFile(path, older);
    const warned = warnings.length;
    const reopened = await open();
    assert.deepEqual(Object.keys(reopened.data.users), ['a']);
    assert.deepEqual(warnings.slice(warned), [
      'store.json is older than a copy of it: later changes are missing, unless an older file was put there on purpose',
    ]);
    await add(reopened, 'c');
    assert.deepEqual(Object.keys((await open()).data.users), ['a', 'c']);
    // A file that a person has written has no revision.
    await writeFile(path, older.replace(/"checksum":"[^"]*",/, ''));
    assert.deepEqual(Object.keys((await open()).data.users), ['a']);
    assert.equal(warnings.length, warned + 1);
  });

  it('skips damaged copies, and does not start without a good one', async () => {
    const store = await open();
    await store.change((data) => {
      data.users['a'] = user('a');
      return true;
    });
    await store.settled();
    const path = join(directory, 'store.json');
    const [copy] = await readdir(join(directory, 'generations'));
    const text = await readFile(path, 'utf8');
    await writeFile(path, '{');
    await writeFile(join(directory, 'generations', 'store.json.2026-03-01T13-00-00.000Z'), '{');
    assert.deepEqual((await open()).data, store.data);
    await writeFile(path, '{');
    await writeFile(join(directory, 'generations', copy!), '{');
    await assert.rejects(open(), {
      name: 'DamagedFileError',
      message:
        `${path} is damaged (it is not JSON), and it has no good copy: stop the service and run ` +
        '"forklens store repair", or replace the file with a backup',
    });
    assert.equal(await readFile(path, 'utf8'), '{', 'it is unchanged');
    assert.notEqual(text, '{');
  });

  it('does not treat a missing file as empty if there are journals of forks', async () => {
    await mkdir(join(directory, 'forks'));
    await writeFile(join(directory, 'forks', 'fork_1.journal'), '');
    await assert.rejects(open(), /store\.json is missing, although there are journals of forks/);
  });

  it('restores a missing file', async () => {
    const store = await open();
    await store.change((data) => {
      data.users['a'] = user('a');
      return true;
    });
    await store.settled();
    await rm(join(directory, 'store.json'));
    assert.deepEqual((await open()).data, store.data);
  });

  it('counts usage by project and day, and deletes it with the project', async () => {
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

  it("counts a fork's executions once, also after a restart", async () => {
    const project = { projectId: 'p', ownerId: 'a', name: 'p', createTime: NOW };
    const first = await open();
    await new JsonAccountStore(first).insertProject({ ...project, collaboratorIds: [] }, 1);
    await new JsonForkStore(first).put('fork', { ...fork });
    for (const store of [first, await open()]) {
      const accounts = new JsonAccountStore(store);
      for (const [sequence, count] of [
        [1, 2],
        [2, 5],
      ] as const) {
        await accounts.addUsage('p', { forkId: 'fork', sequence, day: '2026-03-01', count });
      }
      assert.equal(await accounts.sumUsage('p', '2026-03-01', '2026-03-01'), 7);
      assert.equal((await new JsonForkStore(store).list())[0]?.counted, 2);
    }
  });
});
