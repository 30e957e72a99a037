import assert from 'node:assert/strict';
import type { ForkRecord } from '../../../server/forks/life/fork-record';
import type { ProjectRecord } from '../../../server/projects/ports';
import type { Storage } from '../../../server/composition/storage';
import { describeStorages } from '../../support/storages';

const user = (id: string, minute = 0) => ({
  userId: id,
  nickname: `name of ${id}`,
  email: `${id}@example.org`,
  createTime: `2026-03-01T12:0${minute}:00.000Z`,
});

const project = (id: string, ownerId = 'ann', minute = 0): ProjectRecord => ({
  projectId: id,
  ownerId,
  name: id,
  createTime: `2026-03-01T12:0${minute}:00.000Z`,
  collaboratorIds: [],
});

const key = (id: string, minute = 0) => ({
  keyId: id,
  userId: 'ann',
  label: 'ci',
  scopes: ['manage' as const, 'analyze' as const],
  hash: 'a'.repeat(64),
  createTime: `2026-03-01T12:0${minute}:00.000Z`,
});

const fork = (forkId: string, projectId = 'p', minute = 0): ForkRecord => ({
  forkId,
  projectId,
  name: 'f',
  chain: 'eth',
  chainId: 1,
  height: 19_000_000,
  position: null,
  base: 1,
  prefix: 0,
  hardfork: 'prague' as const,
  antiReplay: false,
  secret: 'c'.repeat(32),
  snapshotId: 's',
  createTime: `2026-03-01T12:0${minute}:00.000Z`,
});

describeStorages('users and keys', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
  });

  it('adds a user with the first project, once per e-mail address', async () => {
    assert.equal(await storage.users.insertUser(user('ann'), project('p')), true);
    const second = { ...user('ben'), email: 'ann@example.org' };
    assert.equal(await storage.users.insertUser(second, project('q', 'ben')), false);
    storage = await test.open();
    assert.deepEqual(await storage.users.findUser('ann'), user('ann'));
    assert.deepEqual(await storage.users.findUserByEmail('ann@example.org'), user('ann'));
    assert.equal(await storage.users.findUser('ben'), undefined);
    assert.deepEqual(await storage.projects.findProject('p'), project('p'));
    assert.equal(await storage.projects.findProject('q'), undefined);
  });

  it('registers one of several users with the same address at a time', async () => {
    const added = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) =>
        storage.users.insertUser(
          { ...user(id), email: 'same@example.org' },
          project(`p-${id}`, id),
        ),
      ),
    );
    assert.equal(added.filter(Boolean).length, 1);
    assert.equal((await storage.users.listUsers()).length, 1);
  });

  it('lists users and keys in the order of creation', async () => {
    for (const [minute, id] of ['zoe', 'ann', 'ben'].entries()) {
      await storage.users.insertUser(user(id, minute), project(`p-${id}`, id));
      await storage.keys.insertKey(key(`key_${id}`, minute));
    }
    storage = await test.open();
    const users = await storage.users.listUsers();
    assert.deepEqual(
      users.map(({ userId }) => userId),
      ['zoe', 'ann', 'ben'],
    );
    const keys = await storage.keys.listKeys();
    assert.deepEqual(keys[0], key('key_zoe', 0));
    assert.deepEqual(
      keys.map(({ keyId }) => keyId),
      ['key_zoe', 'key_ann', 'key_ben'],
    );
  });

  it('revokes a key once', async () => {
    await storage.keys.insertKey(key('key_1'));
    assert.deepEqual(await storage.keys.findKey('key_1'), key('key_1'));
    assert.equal(await storage.keys.deleteKey('key_1'), true);
    assert.equal(await storage.keys.deleteKey('key_1'), false);
    assert.equal(await storage.keys.findKey('key_1'), undefined);
  });

  it('finds nothing under ids that are names of inherited properties, or contain quotes', async () => {
    for (const id of ['constructor', '__proto__', `'; DROP TABLE users; --`]) {
      assert.equal(await storage.users.findUser(id), undefined);
      assert.equal(await storage.keys.findKey(id), undefined);
      assert.equal(await storage.projects.findProject(id), undefined);
    }
  });
});

describeStorages('projects', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
    await storage.users.insertUser(user('ann'), project('p'));
    await storage.users.insertUser(user('ben'), project('of-ben', 'ben'));
  });

  it('holds the limit of projects, also for several at a time', async () => {
    const added = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => storage.projects.insertProject(project(id), 3)),
    );
    assert.deepEqual(added.filter(Boolean).length, 2);
    assert.equal((await storage.projects.listProjectsOf('ann')).length, 3);
    assert.equal(await storage.projects.insertProject(project('e', 'ben'), 3), true);
  });

  it('lists what a user owns or collaborates on, in the order of creation', async () => {
    await storage.projects.insertProject(project('shared', 'ben', 3), 9);
    await storage.projects.insertProject(project('later', 'ann', 5), 9);
    await storage.projects.addCollaborator('shared', 'ann', 'editor');
    const listed = await storage.projects.listProjectsOf('ann');
    assert.deepEqual(
      listed.map(({ projectId }) => projectId),
      ['p', 'shared', 'later'],
    );
    assert.deepEqual(listed[1]?.collaboratorIds, ['ann']);
  });

  it('renames a project, and reports one that does not exist', async () => {
    assert.equal(await storage.projects.renameProject('p', 'öffentlich "x"'), true);
    assert.equal((await storage.projects.findProject('p'))?.name, 'öffentlich "x"');
    assert.equal(await storage.projects.renameProject('none', 'x'), false);
  });

  it('keeps collaborators in the order of addition', async () => {
    assert.equal(await storage.projects.addCollaborator('p', 'zoe', 'editor'), true);
    assert.equal(await storage.projects.addCollaborator('p', 'ben', 'editor'), true);
    assert.equal(await storage.projects.addCollaborator('p', 'zoe', 'editor'), false);
    assert.equal(await storage.projects.addCollaborator('none', 'zoe', 'editor'), false);
    storage = await test.open();
    assert.deepEqual((await storage.projects.findProject('p'))?.collaboratorIds, ['zoe', 'ben']);
    assert.equal(await storage.projects.removeCollaborator('p', 'zoe'), true);
    assert.equal(await storage.projects.removeCollaborator('p', 'zoe'), false);
    assert.deepEqual((await storage.projects.findProject('p'))?.collaboratorIds, ['ben']);
  });

  it('keeps viewers beside editors, and changes the role of one', async () => {
    const { projects } = storage;
    assert.equal(await projects.addCollaborator('p', 'zoe', 'viewer'), true);
    assert.equal(await projects.addCollaborator('p', 'ben', 'editor'), true);
    assert.equal(await projects.addCollaborator('p', 'zoe', 'editor'), false);
    storage = await test.open();
    const rolesOf = async () => {
      const found = await storage.projects.findProject('p');
      return [found?.collaboratorIds, found?.viewerIds];
    };
    assert.deepEqual(await rolesOf(), [['ben'], ['zoe']]);
    assert.deepEqual((await storage.projects.listProjectsOf('zoe')).length, 1);
    assert.equal(await storage.projects.setCollaboratorRole('p', 'zoe', 'editor'), true);
    assert.deepEqual(await rolesOf(), [['ben', 'zoe'], undefined]);
    assert.equal(await storage.projects.setCollaboratorRole('p', 'ben', 'viewer'), true);
    assert.equal(await storage.projects.setCollaboratorRole('p', 'ben', 'viewer'), true);
    assert.deepEqual(await rolesOf(), [['zoe'], ['ben']]);
    assert.equal(await storage.projects.setCollaboratorRole('p', 'kim', 'viewer'), false);
    assert.equal(await storage.projects.setCollaboratorRole('p', 'ann', 'viewer'), false);
    assert.equal(await storage.projects.removeCollaborator('p', 'ben'), true);
    assert.equal(await storage.projects.removeCollaborator('p', 'ben'), false);
    assert.deepEqual(await rolesOf(), [['zoe'], undefined]);
    await storage.projects.deleteProject('p');
    assert.deepEqual(await storage.projects.listProjectsOf('zoe'), []);
  });

  it('renews the addresses when an editor becomes a viewer, and not when a viewer leaves', async () => {
    const secretOf = async () => (await storage.forks.list())[0]?.secret;
    await storage.forks.put('one', fork('one'));
    await storage.projects.addCollaborator('p', 'ben', 'editor');
    await storage.projects.setCollaboratorRole('p', 'ben', 'editor');
    assert.equal(await secretOf(), 'c'.repeat(32));
    await storage.projects.setCollaboratorRole('p', 'ben', 'viewer');
    const renewed = await secretOf();
    assert.notEqual(renewed, 'c'.repeat(32));
    await storage.projects.setCollaboratorRole('p', 'ben', 'viewer');
    await storage.projects.removeCollaborator('p', 'ben');
    assert.equal(await secretOf(), renewed);
  });

  it('renews the addresses of the forks of a project that a user leaves, and of no other', async () => {
    await storage.projects.addCollaborator('p', 'ben', 'editor');
    for (const id of ['one', 'two']) await storage.forks.put(id, fork(id));
    await storage.forks.put('other', fork('other', 'of-ben'));
    await storage.projects.removeCollaborator('p', 'ben');
    const secrets = new Map(
      (await storage.forks.list()).map(({ forkId, secret }) => [forkId, secret]),
    );
    assert.match(secrets.get('one') ?? '', /^[0-9a-f]{32}$/);
    assert.notEqual(secrets.get('one'), 'c'.repeat(32));
    assert.notEqual(secrets.get('one'), secrets.get('two'));
    assert.equal(secrets.get('other'), 'c'.repeat(32));
  });

  it('removes a project with its usage and its collaborators', async () => {
    await storage.projects.addCollaborator('p', 'ben', 'editor');
    await storage.usage.addUsage('p', {
      forkId: 'f',
      sequence: 1,
      day: '2026-03-01',
      count: 4,
    });
    await storage.projects.deleteProject('p');
    assert.equal(await storage.projects.findProject('p'), undefined);
    assert.equal(await storage.usage.sumUsage('p', '2026-01-01', '2026-12-31'), 0);
    assert.deepEqual(
      (await storage.projects.listProjectsOf('ben')).map(({ projectId }) => projectId),
      ['of-ben'],
    );
  });
});

describeStorages('fork records and usage', (test) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await test.open();
    await storage.users.insertUser(user('ann'), project('p'));
  });

  it('keeps records whole, with fields of later versions, in the order of creation', async () => {
    const whole = {
      ...fork('b', 'p', 1),
      accounts: { mnemonic: 'test test', addresses: ['0x1'] },
      warnings: ['a "quoted" warning \u0000 and a lone surrogate \ud800'],
      replay: { faithful: true },
      laterField: { deep: [1, 2.5, null] },
    };
    await storage.forks.put('b', whole);
    await storage.forks.put('a', fork('a', 'q', 2));
    storage = await test.open();
    assert.deepEqual(await storage.forks.list(), [whole, fork('a', 'q', 2)]);
    assert.deepEqual(await storage.forks.list('q'), [fork('a', 'q', 2)]);
    await storage.forks.put('b', fork('b', 'p', 1));
    assert.deepEqual((await storage.forks.list('p'))[0], fork('b', 'p', 1));
  });

  it('renews an address, and removes a record', async () => {
    await storage.forks.put('a', fork('a'));
    assert.equal(await storage.forks.setSecret('a', 'd'.repeat(32)), true);
    assert.equal(await storage.forks.setSecret('none', 'd'.repeat(32)), false);
    assert.equal((await storage.forks.list())[0]?.secret, 'd'.repeat(32));
    await storage.forks.delete('a');
    await storage.forks.delete('a');
    assert.deepEqual(await storage.forks.list(), []);
  });

  it('counts executions at once, durably, and none twice', async () => {
    await storage.forks.put('f', fork('f'));
    const sum = () => storage.usage.sumUsage('p', '2026-03-01', '2026-03-31');
    const add = (sequence: number, day: string, count: number) =>
      storage.usage.addUsage('p', { forkId: 'f', sequence, day, count });
    const durable = [add(1, '2026-03-01', 2), add(2, '2026-03-31', 3), add(3, '2026-04-01', 5)];
    assert.equal(await sum(), 5);
    await Promise.all(durable);
    await add(2, '2026-03-31', 3);
    assert.equal(await sum(), 5);
    storage = await test.open();
    assert.equal(await sum(), 5);
    assert.equal((await storage.forks.list())[0]?.counted, 3);
  });

  it('counts executions of a deleted fork, and none of a deleted project', async () => {
    await storage.usage.addUsage('p', {
      forkId: 'gone',
      sequence: 1,
      day: '2026-03-01',
      count: 2,
    });
    await storage.usage.addUsage('gone', {
      forkId: 'gone',
      sequence: 2,
      day: '2026-03-01',
      count: 2,
    });
    assert.equal(await storage.usage.sumUsage('p', '2026-03-01', '2026-03-01'), 2);
    assert.equal(await storage.usage.sumUsage('gone', '2026-03-01', '2026-03-01'), 0);
  });
});
