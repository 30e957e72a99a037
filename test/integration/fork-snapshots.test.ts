import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Snapshot } from '../../server/api/snapshot';
import { call } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const STRANGER = `0x${'99'.repeat(20)}`;
const NOT_THERE = '00000000-0000-4000-8000-000000000000';

describe('named snapshots over REST', () => {
  let dataDir: string;
  let service: TestService;
  let project: string;
  let fork: Fork;
  before(async () => {
    dataDir = await makeTemporaryDirectory();
    service = await startService({ counted: true, dataDir, args: ['--sandbox'] });
    project = `/v1/project/${await localProject(service)}`;
  });
  after(async () => {
    await service.stop();
    await removeDirectory(dataDir);
  });
  const newFork = (): Promise<Fork> => createFork(service, { chainId: 31337, height: '0xd' });
  beforeEach(async () => {
    fork = await newFork();
  });
  afterEach(() => service.request('DELETE', `${project}/fork/${fork.forkId}`));

  const ask = <T>(method: string, path = '', body?: object) =>
    service.request<T>(method, `${project}/fork/${fork.forkId}/snapshots${path}`, { body });
  const take = async (name: string): Promise<Snapshot> =>
    (await ask<Snapshot>('POST', '', { name })).data;
  const names = async (): Promise<string[]> =>
    (await ask<Snapshot[]>('GET')).data.map(({ name }) => name);
  const setBalance = (value: string) => call(fork.rpc, 'anvil_setBalance', STRANGER, value);
  const balance = () => call(fork.rpc, 'eth_getBalance', STRANGER, 'latest');

  it('are taken, listed after the default one, oldest first, and reverted to, back and forth', async () => {
    await setBalance('0x1');
    const one = await take(' one ');
    assert.match(one.snapshotId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      { ...one, snapshotId: '', createTime: '' },
      { snapshotId: '', name: 'one', createTime: '', blockNumber: 13, isDefault: false },
    );
    await call(fork.rpc, 'evm_mine');
    await setBalance('0x2');
    const two = await take('two');
    assert.equal(two.blockNumber, 14);
    const { data } = await ask<Snapshot[]>('GET');
    assert.deepEqual(data, [
      {
        snapshotId: fork.snapshotId,
        name: 'default',
        createTime: fork.createTime,
        blockNumber: 13,
        isDefault: true,
      },
      one,
      two,
    ]);
    for (const [{ snapshotId }, value, head] of [
      [one, '0x1', '0xd'],
      [two, '0x2', '0xe'],
      [fork, '0x0', '0xd'],
      [two, '0x2', '0xe'],
    ] as const) {
      const answer = await ask('POST', `/${snapshotId}/revert`);
      assert.deepEqual([answer.status, answer.code, answer.data], [200, 0, null]);
      assert.equal(await balance(), value);
      assert.equal(await call(fork.rpc, 'eth_blockNumber'), head);
    }
  });

  it('survive a killed service, and are deleted once', async () => {
    await setBalance('0x1');
    const { snapshotId } = await take('kept');
    await setBalance('0x2');
    await service.kill();
    service = await startService({ counted: true, dataDir, args: ['--sandbox'] });
    fork = (await service.request<Fork>('GET', `${project}/fork/${fork.forkId}`)).data;
    assert.equal(fork.state, 'sleeping');
    assert.deepEqual(await names(), ['default', 'kept']);
    await ask('POST', `/${snapshotId}/revert`);
    assert.equal(await balance(), '0x1');
    const deleted = await ask('DELETE', `/${snapshotId}`);
    assert.deepEqual([deleted.status, deleted.code, deleted.data], [200, 0, null]);
    assert.deepEqual(await names(), ['default']);
    for (const again of [
      await ask('DELETE', `/${snapshotId}`),
      await ask('POST', `/${snapshotId}/revert`),
    ]) {
      assert.deepEqual([again.status, again.code], [404, 40409]);
      assert.equal(again.message, `snapshot "${snapshotId}" does not exist`);
    }
    assert.equal(await balance(), '0x1');
  });

  it('are rejected with the reason, without a change', async () => {
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(65) }, { name: 7 }]) {
      const { status, code, message } = await ask('POST', '', body);
      assert.deepEqual([status, code], [400, 40001], JSON.stringify(body));
      assert.match(message, /^name is .*; accepted: /);
    }
    const fixed = await ask('DELETE', `/${fork.snapshotId}`);
    assert.deepEqual([fixed.status, fixed.code], [409, 40903]);
    // A revert consumes an id of evm_snapshot, so such ids work only with evm_revert.
    const id = await call(fork.rpc, 'evm_snapshot');
    for (const path of [`/${id}`, `/${NOT_THERE}`, '/%20']) {
      assert.equal((await ask('DELETE', path)).code, 40409);
      assert.equal((await ask('POST', `${path}/revert`)).code, 40409);
    }
    assert.deepEqual(await names(), ['default']);
  });

  it('belong to their fork, and have a maximum number', async () => {
    const mine = await take('mine');
    const other = await newFork();
    const path = `${project}/fork/${other.forkId}/snapshots/${mine.snapshotId}`;
    assert.equal((await service.request('DELETE', path)).code, 40409);
    assert.equal((await service.request('POST', `${path}/revert`)).code, 40409);
    await service.request('DELETE', `${project}/fork/${other.forkId}`);
    assert.equal((await service.request('GET', path.replace(/\/[^/]*$/, ''))).code, 40402);
    const more = await Promise.all(
      Array.from({ length: 100 }, (_, i) => ask('POST', '', { name: `${i}` })),
    );
    const refused = more.filter(({ code }) => code !== 0);
    assert.deepEqual(
      refused.map(({ status, code, message }) => [status, code, message]),
      [[409, 40904, 'the fork has 100 named snapshots, which is the limit; delete one first']],
    );
    assert.equal((await names()).length, 101);
  });
});
