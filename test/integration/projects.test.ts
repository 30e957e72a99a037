import assert from 'node:assert/strict';
import type { Project, ProjectDetail } from '../../server/api/project';
import { runCliJson, startService, type TestService } from '../support/service';

interface Key {
  keyId: string;
  key: string;
}

describe('accounts and projects', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ counted: true });
  });
  after(() => service.stop());

  const cli = <T>(...args: string[]): Promise<T> => runCliJson<T>(service.dataDir, ...args);
  const newUser = async (nickname: string): Promise<string> => {
    await cli('user', 'add', '--nickname', nickname, '--email', `${nickname}@example.org`);
    const issued = await cli<Key>('key', 'create', '--user', `${nickname}@example.org`);
    return issued.key;
  };
  const create = async (name: string, key = service.key): Promise<Project> =>
    (await service.request<Project>('POST', '/v1/project', { body: { name }, key })).data;

  describe('projects', () => {
    it('are created, listed oldest first, shown, and deleted by both paths', async () => {
      const key = await newUser('life');
      const send = <T>(method: string, path: string) => service.request<T>(method, path, { key });
      const first = await create(' first ', key);
      assert.match(first.projectId, /^project_[0-9a-f]{32}$/);
      assert.equal(first.name, 'first');
      assert.equal(new Date(first.createTime).toISOString(), first.createTime);
      const second = await create('second', key);
      const list = await send<Project[]>('GET', '/v1/projects');
      assert.deepEqual(
        list.data.map(({ name }) => name),
        ['default', 'first', 'second'],
      );
      assert.deepEqual(list.data[1], first);
      const detail = await send<ProjectDetail>('GET', `/v1/project/${first.projectId}`);
      assert.deepEqual(detail.data, {
        ...first,
        stats: { dailyTransactionQuantity: 0, monthlyTransactionQuantity: 0 },
        fokDetail: [],
        collaboratorDetail: { collaboratorNum: 0, collaborators: [] },
        role: 'owner',
      });
      for (const path of [`delete/${first.projectId}`, second.projectId]) {
        const { code, message, data } = await send('DELETE', `/v1/project/${path}`);
        assert.deepEqual({ code, message, data }, { code: 0, message: 'OK', data: null });
        assert.equal((await send('DELETE', `/v1/project/${path}`)).code, 40401);
      }
      assert.equal((await send<Project[]>('GET', '/v1/projects')).data.length, 1);
    });

    it('accept the fields wrapped in data', async () => {
      const answer = await service.request<Project>('POST', '/v1/project', {
        body: { data: { name: 'wrapped' } },
      });
      assert.equal(answer.data.name, 'wrapped');
    });

    it('are limited to 20 per owner, also with simultaneous requests', async () => {
      const key = await newUser('limit');
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          service.request('POST', '/v1/project', { key, body: { name: `p${index}` } }),
        ),
      );
      assert.equal(answers.filter(({ code }) => code === 0).length, 19);
      const refused = answers.filter(({ code }) => code !== 0);
      assert.ok(refused.every(({ code, status }) => code === 40900 && status === 409));
      assert.match(refused[0]!.message, /20 projects/);
    });

    it('of another user are answered like missing ones', async () => {
      const { projectId } = await create('mine');
      const key = await newUser('stranger');
      const missing = 'project_00000000000000000000000000000000';
      for (const [method, suffix, body] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/fork', { name: 'x', chainId: 1 }],
        ['GET', '/forks'],
        ['GET', '/fork/fork_1'],
        ['POST', '/fork/fork_1/rpc'],
        ['POST', '/collaborators', { email: 'life@example.org' }],
      ] as [string, string, object?][]) {
        const [foreign, none] = await Promise.all(
          [projectId, missing].map((id) =>
            service.request(method, `/v1/project/${id}${suffix}`, { key, body }),
          ),
        );
        assert.equal(foreign!.code, 40401);
        assert.equal(foreign!.message.replace(projectId, ''), none!.message.replace(missing, ''));
      }
    });
  });

  describe('collaborators', () => {
    it('see and use a project; only the owner deletes it and changes collaborators', async () => {
      const { projectId } = await create('shared');
      const key = await newUser('friend');
      const path = `/v1/project/${projectId}/collaborators`;
      const body = { email: 'Friend@example.org' };
      const added = await service.request('POST', path, { body });
      assert.deepEqual(added.data, { nickname: 'friend', email: 'friend@example.org' });
      assert.equal((await service.request('POST', path, { body })).code, 40901);
      const owner = { email: 'local@forklens.local' };
      assert.equal((await service.request('POST', path, { body: owner })).code, 40901);
      const nobody = { email: 'nobody@example.org' };
      assert.equal((await service.request('POST', path, { body: nobody })).code, 40405);

      const detail = await service.request<ProjectDetail>('GET', `/v1/project/${projectId}`, {
        key,
      });
      assert.equal(detail.data.role, 'collaborator');
      assert.deepEqual(detail.data.collaboratorDetail, {
        collaboratorNum: 1,
        collaborators: [{ nickname: 'friend', email: 'friend@example.org' }],
      });
      const list = await service.request<Project[]>('GET', '/v1/projects', { key });
      assert.ok(list.data.some((project) => project.projectId === projectId));
      assert.equal(
        (await service.request('DELETE', `/v1/project/${projectId}`, { key })).code,
        40301,
      );
      assert.equal((await service.request('DELETE', path, { key, body })).code, 40301);

      assert.equal((await service.request('DELETE', path, { body })).code, 0);
      assert.equal((await service.request('DELETE', path, { body })).code, 40405);
      assert.equal((await service.request('GET', `/v1/project/${projectId}`, { key })).code, 40401);
    });

    it('are changed by the command line, too', async () => {
      const { projectId } = await create('by cli');
      const key = await newUser('mate');
      const who = ['--project', projectId, '--email', 'mate@example.org'];
      assert.deepEqual(await cli('collaborator', 'add', ...who), {
        nickname: 'mate',
        email: 'mate@example.org',
      });
      assert.equal((await service.request('GET', `/v1/project/${projectId}`, { key })).code, 0);
      assert.deepEqual(await cli('collaborator', 'role', ...who, '--role', 'viewer'), {
        nickname: 'mate',
        email: 'mate@example.org',
        role: 'viewer',
      });
      const fork = { body: { chainId: 31337, name: 'x' }, key };
      const refused = await service.request('POST', `/v1/project/${projectId}/fork`, fork);
      assert.equal(refused.code, 40303);
      await cli('collaborator', 'remove', ...who);
      assert.equal((await service.request('GET', `/v1/project/${projectId}`, { key })).code, 40401);
    });
  });

  describe('keys', () => {
    it('work within their scopes until they are revoked', async () => {
      const manage = await newUser('scopes');
      const user = ['--user', 'scopes@example.org'];
      const analyze = await cli<Key>(
        'key',
        'create',
        ...user,
        '--scope',
        'analyze',
        '--label',
        'ci',
      );
      assert.match(analyze.key, /^fl_[0-9a-f]{52}$/);
      const flow = `/v1/explorer/nope/transaction/0x${'1'.repeat(64)}/invocation-flow`;
      const codeOf = async (path: string, key: string) =>
        (await service.request('GET', path, { key })).code;
      assert.equal(await codeOf('/v1/projects', analyze.key), 40300);
      assert.equal(await codeOf(flow, analyze.key), 40404);
      assert.equal(await codeOf('/v1/account', analyze.key), 0);
      assert.equal(await codeOf('/v1/projects', manage), 0);
      const account = await service.request('GET', '/v1/account', { key: analyze.key });
      assert.deepEqual(account.data, {
        nickname: 'scopes',
        email: 'scopes@example.org',
        scopes: ['analyze'],
        projectLimit: 20,
      });
      const listed = await cli<Record<string, unknown>[]>('key', 'list', ...user);
      assert.deepEqual(
        listed.map(({ label, scopes }) => ({ label, scopes })),
        [
          { label: '', scopes: ['manage', 'analyze'] },
          { label: 'ci', scopes: ['analyze'] },
        ],
      );
      assert.ok(listed.every((key) => !('hash' in key) && !('key' in key)));
      await cli('key', 'revoke', analyze.keyId);
      assert.equal(await codeOf('/v1/account', analyze.key), 40101);
    });
  });
});
