import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import {
  createFork,
  localProject,
  runCli,
  runCliJson,
  spawnBundle,
  startService,
  type TestService,
} from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

interface Finding {
  file: string;
  status: string;
  message: string;
}

const A = '0x00000000000000000000000000000000000000aa';

describe('a damaged data directory', function () {
  this.timeout(60_000);
  let dataDir: string;
  let fork: Fork;
  let untouched: Fork;
  let services: TestService[];
  const file = (...names: string[]): string => join(dataDir, ...names);
  const start = async (): Promise<TestService> => {
    const service = await startService({ dataDir, args: ['--sandbox'] });
    services.push(service);
    return service;
  };
  beforeEach(async () => {
    services = [];
    dataDir = await makeTemporaryDirectory();
    const service = await start();
    fork = await createFork(service, { chainId: 31337, name: 'used' });
    untouched = await createFork(service, { chainId: 31337, name: 'untouched' });
    await call(fork.rpc, 'anvil_setBalance', A, '0x7');
    await service.stop();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await removeDirectory(dataDir);
  });

  const edit = async (change: (store: Record<string, Record<string, object>>) => void) => {
    const store = JSON.parse(await readFile(file('store.json'), 'utf8')) as never;
    change(store);
    await writeFile(file('store.json'), JSON.stringify(store));
  };

  it('issues no key if the key file cannot be read', async () => {
    await rm(file('access-key'));
    await mkdir(file('access-key'));
    const store = await readFile(file('store.json'), 'utf8');
    const args = ['--port', '0', '--data-dir', dataDir, '--local-user', '--sandbox'];
    const { exited, stderr } = spawnBundle('server.js', args);
    assert.equal((await exited).code, 1);
    assert.match(
      stderr.join('\n'),
      /the file \S+access-key cannot be read \(EISDIR\): remove it, and the next start writes a new key there/,
    );
    assert.equal(await readFile(file('store.json'), 'utf8'), store);
  });

  it('listens on a free port if the last port cannot have been its own', async () => {
    await writeFile(file('last-port'), '42');
    const { url } = await start();
    assert.ok(Number(new URL(url).port) >= 1_024, url);
  });

  it('starts if the port cannot be saved', async () => {
    await rm(file('last-port'));
    await mkdir(file('last-port'));
    const { url } = await start();
    assert.ok(Number(new URL(url).port) >= 1_024, url);
  });

  for (const [what, change] of [
    [
      'a negative count',
      (store: Record<string, Record<string, object>>) =>
        Object.assign(store['usage']!, { project_x: { '2026-01-01': -1 } }),
    ],
    [
      'a text for the height of a fork',
      (store: Record<string, Record<string, object>>) =>
        Object.assign(store['forks']![fork.forkId]!, { height: '0x1' }),
    ],
  ] as const) {
    it(`is restored if it contains ${what}, with all forks and their state`, async () => {
      await edit((store) => void change(store));
      const service = await start();
      const path = `/v1/project/${await localProject(service)}/forks`;
      const { data } = await service.request<Fork[]>('GET', path);
      assert.deepEqual(
        data.map(({ forkId }) => forkId),
        [fork.forkId, untouched.forkId],
      );
      const address = `${service.url}/rpc/${fork.rpc.split('/').at(-1)!}`;
      assert.equal(await call(address, 'eth_getBalance', A, 'latest'), '0x7');
    });
  }

  it('is neither used nor changed without a good copy; store repair keeps all valid records', async () => {
    await edit((store) => Object.assign(store['forks']![untouched.forkId]!, { height: '0x1' }));
    await rm(file('generations'), { recursive: true });
    const forksBefore = await readdir(file('forks'));
    const { exited, stderr, stdout } = spawnBundle('server.js', ['--data-dir', dataDir]);
    assert.equal((await exited).code, 1);
    assert.deepEqual(stdout, []);
    assert.match(stderr.join('\n'), /store\.json is damaged \(forks\.fork_.*\.height: /);
    assert.deepEqual(await readdir(file('forks')), forksBefore);

    const check = await runCli('store', 'check', '--json', '--data-dir', dataDir);
    assert.equal(check.code, 1);
    const [first] = JSON.parse(check.stdout) as Finding[];
    assert.deepEqual([first!.file, first!.status], ['store.json', 'damaged']);

    const done = await runCliJson<string[]>(dataDir, 'store', 'repair');
    assert.equal(
      done.at(-1),
      `Kept every complete record of store.json; lost: forks.${untouched.forkId}.`,
    );
    const service = await start();
    const path = `/v1/project/${await localProject(service)}/forks`;
    const { data } = await service.request<Fork[]>('GET', path);
    assert.deepEqual(
      data.map(({ forkId }) => forkId),
      [fork.forkId],
    );
    assert.deepEqual(await readdir(file('forks')), forksBefore, 'no journal is deleted');
  });

  it('starts empty only on request if no record can be read', async () => {
    await writeFile(file('store.json'), '{');
    await rm(file('generations'), { recursive: true });
    const refused = await runCli('store', 'repair', '--data-dir', dataDir);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /nothing of .*store\.json can be read: replace it with a backup/);
    await runCliJson(dataDir, 'store', 'repair', '--empty');
    const service = await start();
    assert.equal((await service.request<unknown[]>('GET', '/v1/projects')).data.length, 1);
    assert.deepEqual(
      (await readdir(file('forks'))).sort(),
      [fork, untouched].map(({ forkId }) => `${forkId}.journal`).sort(),
    );
  });

  it('has damaged journals cut and damaged labels renamed by a repair', async () => {
    const journal = file('forks', `${fork.forkId}.journal`);
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.replace('0x7', '0x8'));
    await rm(file('labels'), { recursive: true, force: true });
    const labels = await startService({ dataDir });
    services.push(labels);
    const body = { address: A, name: 'treasury' };
    assert.equal((await labels.request('PUT', '/v1/labels', { body })).code, 0);
    await labels.stop();
    const [name] = (await readdir(file('labels'))).filter((one) => one.endsWith('.json'));
    await writeFile(file('labels', name!), '{');
    await rm(file('labels', 'generations'), { recursive: true });

    const { stdout } = await runCli('store', 'check', '--json', '--data-dir', dataDir);
    const damaged = (JSON.parse(stdout) as Finding[]).filter(({ status }) => status === 'damaged');
    assert.deepEqual(
      damaged.map((one) => one.file),
      [`forks/${fork.forkId}.journal`, `labels/${name}`],
    );
    assert.equal((await runCliJson<string[]>(dataDir, 'store', 'repair')).length, 2);
    const after = await runCli('store', 'check', '--data-dir', dataDir);
    assert.equal(after.code, 0, after.stdout);
    const service = await start();
    const address = `${service.url}/rpc/${fork.rpc.split('/').at(-1)!}`;
    assert.equal(await call(address, 'eth_getBalance', A, 'latest'), '0x0');
    assert.deepEqual((await service.request('GET', '/v1/labels')).data, []);
  });

  it('is backed up and restored while no service runs, and checked while one runs', async () => {
    const folder = `${dataDir}-backup`;
    try {
      await runCliJson(dataDir, 'store', 'backup', folder);
      const before = await readFile(file('store.json'), 'utf8');
      const service = await start();
      await createFork(service, { chainId: 31337, name: 'later' });
      assert.equal((await runCli('store', 'check', '--data-dir', dataDir)).code, 0);
      const refused = await runCli('store', 'restore', folder, '--data-dir', dataDir);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /is in use by process/);
      await service.stop();

      const { setAside } = await runCliJson<{ setAside: string }>(
        dataDir,
        'store',
        'restore',
        folder,
      );
      assert.equal(await readFile(file('store.json'), 'utf8'), before);
      assert.match(await readFile(join(setAside, 'store.json'), 'utf8'), /"later"/);
      const again = await start();
      const address = `${again.url}/rpc/${fork.rpc.split('/').at(-1)!}`;
      assert.equal(await call(address, 'eth_getBalance', A, 'latest'), '0x7');
    } finally {
      await removeDirectory(folder);
    }
  });
});
