import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../server/team/postgres/database/database';
import { call } from '../../support/json-rpc';
import { describeWith } from '../../support/programs';
import { createFork, spawnBundle, startService, type TestService } from '../../support/service';
import { usePostgres } from '../../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

describeWith(['initdb'], 'store copy', function () {
  this.timeout(120_000);
  const cluster = usePostgres();
  let folder: string;
  let url: string;
  const running: TestService[] = [];
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    url = cluster().urlOf(await cluster().createDatabase());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    await removeDirectory(folder);
  });

  const start = async (dataDir: string, env: Record<string, string> = {}): Promise<TestService> => {
    await mkdir(dataDir, { recursive: true });
    const service = await startService({ args: ['--sandbox'], dataDir, env });
    running.push(service);
    return service;
  };
  const stopAll = () => Promise.all(running.splice(0).map((service) => service.stop()));
  const copy = async (from: string, to: string, env: Record<string, string> = {}) => {
    const args = ['store', 'copy', '--json', '--from', from, '--to', to, '--data-dir', folder];
    const { exited, stdout, stderr } = spawnBundle('cli.js', args, { env });
    const { code } = await exited;
    assert.doesNotMatch([...stdout, ...stderr].join('\n'), /pa55word/);
    return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
  };
  const contents = async (service: TestService, rpc: string, hash: string) => ({
    head: await call(rpc, 'eth_getBlockByNumber', 'latest', true),
    receipt: await call(rpc, 'eth_getTransactionReceipt', hash),
    labels: (await service.request('GET', '/v1/labels')).data,
    projects: (await service.request('GET', '/v1/projects')).data,
  });

  it('moves an installation into a database and back, with every change', async () => {
    const files = join(folder, 'files');
    const first = await start(files);
    const { rpc } = await createFork(first, { chainId: 31337 });
    const path = new URL(rpc).pathname;
    const hash = await call(rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value: '0x1' });
    await call(rpc, 'anvil_setCode', ALICE, `0x${'60'.repeat(20_000)}`);
    const body = { address: ALICE, name: 'Älice' };
    assert.equal((await first.request('PUT', '/v1/labels', { body })).status, 200);
    const expected = await contents(first, rpc, hash);
    await stopAll();

    const { code, stdout, stderr } = await copy(files, 'database', { FORKLENS_DATABASE_URL: url });
    assert.equal(code, 0, stderr);
    const counts = Object.entries(JSON.parse(stdout) as object).map(([kind, { count }]) => [
      kind,
      count as number,
    ]);
    assert.deepEqual(Object.fromEntries(counts), {
      users: 1,
      keys: 1,
      projects: 1,
      forks: 1,
      usage: 1,
      labels: 1,
      abis: 0,
      journals: 1,
      audit: 1,
    });
    const second = await start(join(folder, 'node'), { FORKLENS_DATABASE_URL: url });
    assert.deepEqual(await contents(second, second.url + path, hash), expected);
    await stopAll();

    const back = join(folder, 'back');
    assert.equal((await copy(url, back)).code, 0);
    const third = await start(back);
    assert.deepEqual(await contents(third, third.url + path, hash), expected);
    assert.ok((await readdir(files)).includes('store.json'), 'nothing is deleted');
  });

  it('refuses a target with data, a source without, and what is no database', async () => {
    const files = join(folder, 'files');
    await start(files);
    const busy = await copy(files, url);
    assert.match(busy.stderr, /is in use by process/);
    await stopAll();
    const copied = await copy(files, url);
    assert.equal(copied.code, 0, copied.stderr);
    const again = await copy(files, url);
    assert.notEqual(again.code, 0);
    assert.match(again.stderr, /the target is not empty; accepted: an empty database, or a folder/);
    assert.match((await copy(url, files)).stderr, /the target is not empty/);
    assert.match((await copy(join(folder, 'none'), url)).stderr, /there is no store\.json in /);
    assert.match((await copy(files, files)).stderr, /--to names the same folder/);
    assert.match((await copy(files, 'database')).stderr, /neither --database nor/);
    const wrong = await copy(files, 'mysql://ann:pa55word@host/x');
    assert.match(wrong.stderr, /is a hidden value; accepted: postgres:/);
  });

  it('reports a copy that differs from its source', async () => {
    const files = join(folder, 'files');
    const service = await start(files);
    await createFork(service, { chainId: 31337 });
    await stopAll();
    const database = await Database.open({ url, maxConnections: 1 });
    await database.close();
    const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
    await cluster().query(
      `CREATE FUNCTION spoil() RETURNS trigger AS
        $$ BEGIN NEW.name = 'other'; RETURN NEW; END $$ LANGUAGE plpgsql`,
      name,
    );
    await cluster().query(
      `CREATE TRIGGER spoil BEFORE INSERT ON forklens.projects
        FOR EACH ROW EXECUTE FUNCTION spoil()`,
      name,
    );
    const { code, stderr } = await copy(files, url);
    assert.notEqual(code, 0);
    assert.match(stderr, /the copy differs from its source in: projects\./);
  });

  it('is checked in the database as in files, while a service runs', async () => {
    const service = await start(join(folder, 'node'), { FORKLENS_DATABASE_URL: url });
    const { forkId } = await createFork(service, { chainId: 31337 });
    const store = async (...words: string[]) => {
      const { exited, stdout, stderr } = spawnBundle('cli.js', ['store', ...words, '--json'], {
        env: { FORKLENS_DATABASE_URL: url },
      });
      return { code: (await exited).code, stdout: stdout.join(''), stderr: stderr.join('') };
    };
    const whole = await store('check');
    assert.equal(whole.code, 0, whole.stderr);
    assert.deepEqual(JSON.parse(whole.stdout), [
      { file: 'database', status: 'ok', message: '1 users, 1 keys, 1 projects, 1 forks' },
      { file: `journal of ${forkId}`, status: 'ok', message: 'whole' },
    ]);
    const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
    await cluster().query('DELETE FROM forklens.journals', name);
    const damaged = await store('check');
    assert.equal(damaged.code, 1);
    assert.match(damaged.stdout, /"status": "damaged", +"message": "the journal of the fork fork_/);
    for (const words of [['backup', 'x'], ['restore', 'x'], ['repair']]) {
      const refused = await store(...words);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /the data is in the database: back it up .* by its own tools/);
    }
  });

  it('copies nothing if a journal is damaged', async () => {
    const files = join(folder, 'files');
    const { forkId } = await createFork(await start(files), { chainId: 31337 });
    await stopAll();
    await writeFile(join(files, 'forks', `${forkId}.journal`), '{');
    const { code, stderr } = await copy(files, url);
    assert.notEqual(code, 0);
    assert.match(stderr, /is damaged at line 1/);
  });
});
