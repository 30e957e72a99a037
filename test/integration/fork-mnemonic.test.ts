import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('the mnemonic of a fork', function () {
  this.timeout(60_000);
  let dataDir: string;
  let running: TestService[];
  const start = async (): Promise<TestService> => {
    const service = await startService({ dataDir, args: ['--sandbox', '--log-level', 'trace'] });
    running.push(service);
    return service;
  };
  beforeEach(async () => {
    dataDir = await makeTemporaryDirectory();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await removeDirectory(dataDir);
  });

  it('survives a kill, and is only in the store', async () => {
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
    const first = await start();
    const fork = await createFork(first, { chainId: 31337, accounts: { mnemonic } });
    const accounts = await call<string[]>(fork.rpc, 'eth_accounts');
    assert.equal(accounts.length, 10);
    await first.kill();
    const second = await start();
    const projectId = await localProject(second);
    const path = `/v1/project/${projectId}/fork/${fork.forkId}`;
    const { data: again } = await second.request<Fork>('GET', path);
    assert.equal(again.accounts, 'mnemonic');
    assert.deepEqual(await call(again.rpc, 'eth_accounts'), accounts);
    const reported = [first, second].flatMap(({ stdout, stderr }) => [...stdout, ...stderr]);
    assert.ok(reported.length > 0);
    assert.ok(reported.every((line) => !line.includes('sausage')));
    assert.doesNotMatch(JSON.stringify([fork, again]), /sausage/);
    assert.match(await readFile(join(dataDir, 'store.json'), 'utf8'), /sausage/);
  });
});
