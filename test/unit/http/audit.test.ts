import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditPage } from '../../../server/api/audit';
import { ApiError } from '../../../server/api/errors';
import type { Fork } from '../../../server/api/fork';
import { startStubApp, type StubApp } from '../../support/stub-app';
import { stubServices } from '../../support/stub-services';

const FORK_ID = `fork_${'f'.repeat(32)}`;
const SECRET = 'c0ffee'.repeat(5);
const FORK: Fork = {
  forkId: FORK_ID,
  chainId: 1,
  name: 'f',
  rpc: `http://127.0.0.1:1/rpc/${SECRET}`,
  rpcChainId: 1,
  chain: 'eth',
  height: '0x1',
  position: null,
  antiReplay: false,
  snapshotId: 's',
  createTime: '2026-01-01T00:00:00.000Z',
  state: 'running',
};

describe('the audit log', () => {
  let app: StubApp;
  let ann: string;
  let ben: string;
  let projectId: string;
  beforeEach(async () => {
    const stubs = stubServices(() => Promise.reject(new ApiError('timedOut', 'reached')));
    stubs.forks.create = () => Promise.resolve(FORK);
    stubs.forks.renewAddress = () => Promise.resolve(FORK);
    app = await startStubApp(stubs);
    ann = await app.signUp('ann');
    ben = await app.signUp('ben');
    const { data } = await app.send(ann, 'post', '/v1/project', { name: 'shared' });
    ({ projectId } = data as { projectId: string });
  });
  afterEach(() => app.close());

  const read = async (key: string, query = '') =>
    (await app.send(key, 'get', `/v1/audit${query}`)).data as AuditPage;
  const actions = async (key: string, query = '') =>
    (await read(key, query)).entries.map(({ action, actor, code }) => [action, actor, code]);

  it('has who did what, when, from where, and with which outcome', async () => {
    const before = Date.now();
    const body = { email: 'ben@example.org', role: 'viewer' };
    const path = `/v1/project/${projectId}`;
    const sent = await fetch(`${app.url}${path}/collaborators`, {
      method: 'POST',
      headers: { 'Access-Key': ann, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { entries, nextCursor } = await read(ann, '?limit=1');
    const [{ id, time, keyId, ...entry }] = entries as [AuditPage['entries'][0]];
    assert.deepEqual(entry, {
      action: 'addCollaborator',
      actor: 'ann@example.org',
      address: '127.0.0.1',
      code: 0,
      projectId,
      target: 'ben@example.org',
      role: 'viewer',
      requestId: sent.headers.get('x-request-id'),
    });
    assert.equal(keyId, `key_${ann.slice(3, 15)}`);
    assert.ok(Date.parse(time) >= before && Date.parse(time) <= Date.now());
    assert.equal(nextCursor, id);
    await app.send(ben, 'post', `${path}/fork`, { chainId: 1, name: 'f' });
    await app.send(ann, 'post', `${path}/fork`, { chainId: 1, name: 'f' });
    const newest = await read(ann, '?limit=2');
    assert.deepEqual(
      newest.entries.map(({ action, actor, code, forkId }) => [action, actor, code, forkId]),
      [
        ['createFork', 'ann@example.org', 0, FORK_ID],
        ['createFork', 'ben@example.org', 40303, undefined],
      ],
    );
  });

  it('is read by those who did it and by the owner of the project, in pages', async () => {
    const path = `/v1/project/${projectId}`;
    await app.send(ben, 'delete', path);
    await app.send(ann, 'post', '/v1/project', { name: 'own' });
    assert.deepEqual(await actions(ben), [['deleteProject', 'ben@example.org', 40401]]);
    const all = [
      ['createProject', 'ann@example.org', 0],
      ['deleteProject', 'ben@example.org', 40401],
      ['createProject', 'ann@example.org', 0],
    ];
    assert.deepEqual(await actions(ann), all);
    assert.deepEqual(await actions(ann, '?action=deleteProject'), [all[1]]);
    assert.deepEqual(await actions(ann, `?project=${projectId}`), [all[1], all[2]]);
    const first = await read(ann, '?limit=2');
    const rest = await read(ann, `?limit=2&cursor=${first.nextCursor}`);
    assert.equal(first.entries.length, 2);
    assert.deepEqual([rest.entries.length, rest.nextCursor], [1, null]);
    for (const query of ['?limit=0', '?cursor=x', '?action=%27', '?project=p', '?other=1']) {
      assert.equal((await app.send(ann, 'get', `/v1/audit${query}`)).code, 40001, query);
    }
  });

  it('has the commands of administrators, who read everything', async () => {
    const { admin } = app.accounts;
    await admin.run('addUser', { nickname: 'Zoe', email: 'zoe@example.org' });
    await assert.rejects(admin.run('revokeKey', { keyId: ann }), { kind: 'keyNotFound' });
    await admin.run('listKeys', {});
    const { entries } = await admin.run('audit', {});
    assert.deepEqual(
      entries.map(({ action, actor, address, code, target }) => [
        action,
        actor,
        address,
        code,
        target,
      ]),
      [
        ['admin.revokeKey', 'administrator', 'local', 40406, undefined],
        ['admin.addUser', 'administrator', 'local', 0, 'zoe@example.org'],
        ['createProject', 'ann@example.org', '127.0.0.1', 0, undefined],
      ],
    );
    assert.deepEqual((await read(ann)).entries.length, 1);
  });

  it('has no secret, wherever a client puts one', async () => {
    const path = `/v1/project/${projectId}`;
    const issued = await app.send(ann, 'post', '/v1/account/keys', { name: ben });
    const { key, keyId } = issued.data as { key: string; keyId: string };
    const rotated = await app.send(ann, 'post', `/v1/account/keys/${keyId}/rotate`, {});
    const { key: next, keyId: nextId } = rotated.data as { key: string; keyId: string };
    await app.send(ann, 'delete', `/v1/account/keys/${key}`);
    await app.send(ann, 'post', `${path}/fork`, { chainId: 1, name: key });
    await app.send(ann, 'post', `${path}/fork/${SECRET}/rpc`);
    await app.send(ann, 'post', `${path}/fork/${FORK_ID}/rpc`);
    await app.send(ann, 'patch', `/v1/project/${key}`, { name: key });
    await app.send(ann, 'patch', path, { name: key });
    const { user } = await app.accounts.keys.authenticate(ann);
    const local = await app.accounts.admin.run('createKey', {
      user: user.email,
      scopes: ['manage'],
      label: key,
    });
    await app.storage.close();
    const text = await readFile(join(app.directory, 'audit', 'audit.jsonl'), 'utf8');
    const written = text.trim().split('\n');
    assert.equal(written.length, 10);
    for (const id of [keyId, nextId, local.keyId]) assert.ok(text.includes(id), id);
    const hashes = (await app.storage.keys.listKeys()).map(({ hash }) => hash);
    for (const secret of [ann, ben, key, next, local.key, SECRET, ...hashes]) {
      assert.ok(!text.includes(secret), secret);
      assert.ok(!text.includes(secret.slice(-40)), secret);
    }
  });
});
