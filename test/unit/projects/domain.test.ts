import assert from 'node:assert/strict';
import { pino } from 'pino';
import {
  createAccountServices,
  type AccountServices,
} from '../../../server/composition/account-services';
import { openStorage } from '../../../server/composition/storage';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

describe('accounts and projects', () => {
  let directory: string;
  let services: AccountServices;
  let now: string;
  let deleteForksOf: (projectId: string) => Promise<void>;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    now = '2026-01-31T23:59:59.999Z';
    deleteForksOf = () => Promise.resolve();
    const clock = (): Date => new Date(now);
    const log = pino({ enabled: false });
    const storage = await openStorage({ dataDir: directory, database: undefined, clock, log });
    services = createAccountServices({
      storage,
      clock,
      projectLimit: 2,
      addressesRenewed: () => Promise.resolve(),
      warn: () => undefined,
      deleteForksOf: (projectId) => deleteForksOf(projectId),
    });
  });
  afterEach(() => removeDirectory(directory));
  const register = async () => {
    const user = await services.users.register('Ann', 'ann@example.org');
    const [project] = await services.projects.list(user.userId);
    return { user, project: project! };
  };

  it('counts transactions by UTC day and month', async () => {
    const { project } = await register();
    const { usage } = services;
    const stats = () => usage.of(project.projectId);
    const record = (sequence: number, day: string, count: number) =>
      usage.record(project.projectId, { forkId: 'fork_1', sequence, day, count });
    await record(1, '2026-01-31', 1);
    await record(2, '2026-01-31', 2);
    assert.deepEqual(await stats(), { dailyTransactionQuantity: 3, monthlyTransactionQuantity: 3 });
    now = '2026-02-01T00:00:00.000Z';
    assert.deepEqual(await stats(), { dailyTransactionQuantity: 0, monthlyTransactionQuantity: 0 });
    await record(3, '2026-02-01', 1);
    now = '2026-02-02T00:00:00.000Z';
    assert.deepEqual(await stats(), { dailyTransactionQuantity: 0, monthlyTransactionQuantity: 1 });
  });

  it('deletes the forks before the project, which is kept if that fails', async () => {
    const { user, project } = await register();
    deleteForksOf = () => Promise.reject(new Error('engine hangs'));
    await assert.rejects(services.projects.delete(project.projectId), /engine hangs/);
    assert.equal((await services.projects.list(user.userId)).length, 1);
    const deleted: string[] = [];
    deleteForksOf = (projectId) => Promise.resolve(void deleted.push(projectId));
    await services.projects.delete(project.projectId);
    assert.deepEqual(deleted, [project.projectId]);
    assert.equal((await services.projects.list(user.userId)).length, 0);
  });

  it('counts only owned projects against the limit', async () => {
    const { project } = await register();
    const bob = await services.users.register('Bob', 'bob@example.org');
    await services.projects.addCollaborator(project.projectId, 'bob@example.org', 'editor');
    await services.projects.create(bob.userId, 'second');
    assert.equal((await services.projects.list(bob.userId)).length, 3);
    await assert.rejects(services.projects.create(bob.userId, 'third'), { kind: 'projectLimit' });
  });

  it('registers an e-mail address once, even with two concurrent requests', async () => {
    const results = await Promise.allSettled([register(), register()]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await services.users.list()).length, 1);
  });

  it('checks all digits of a key', async () => {
    const { user } = await register();
    const { key, keyId } = await services.keys.issue(user.userId, ['manage', 'manage'], 'x');
    const caller = await services.keys.authenticate(key);
    assert.deepEqual(caller.key.scopes, ['manage']);
    assert.equal(caller.user.email, 'ann@example.org');
    const lastDigit = key.endsWith('0') ? '1' : '0';
    for (const wrong of [key.slice(0, -1) + lastDigit, key.toUpperCase(), ` ${key}`, `${key}0`]) {
      await assert.rejects(services.keys.authenticate(wrong), { kind: 'keyUnknown' });
    }
    await services.keys.revoke(keyId);
    await assert.rejects(services.keys.authenticate(key), { kind: 'keyUnknown' });
    await assert.rejects(services.keys.revoke(keyId), { kind: 'keyNotFound' });
  });

  it('registers the local user once, and accepts only keys with all scopes', async () => {
    const { localUser, keys, users } = services;
    const [first, second] = await Promise.all([localUser.issueKey('a'), localUser.issueKey('b')]);
    assert.equal((await users.list()).length, 1);
    assert.deepEqual(await Promise.all([first, second].map((key) => localUser.accepts(key))), [
      true,
      true,
    ]);
    const [local] = await users.list();
    const partial = await keys.issue(local!.userId, ['analyze'], 'c');
    assert.equal(await localUser.accepts(partial.key), false);
    const { user } = await register();
    const foreign = await keys.issue(user.userId, ['manage', 'analyze'], 'd');
    assert.equal(await localUser.accepts(foreign.key), false);
    await localUser.issueKey('a');
    assert.equal(await localUser.accepts(first), false);
    assert.equal(await localUser.accepts(second), true);
  });
});
