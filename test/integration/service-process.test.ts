import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Project } from '../../server/api/project';
import {
  runCli,
  runCliJson,
  spawnBundle,
  startService,
  type ServiceOptions,
  type TestService,
} from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ethChain } from './fork-upstream';

describe('the service process', function () {
  this.timeout(60_000);
  let dataDir: string;
  let running: TestService[];
  beforeEach(async () => {
    dataDir = await makeTemporaryDirectory();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await removeDirectory(dataDir);
  });
  const start = async (options: ServiceOptions = {}): Promise<TestService> => {
    const service = await startService({ dataDir, ...options });
    running.push(service);
    return service;
  };
  const projectNames = async (service: TestService): Promise<string[]> =>
    (await service.request<Project[]>('GET', '/v1/projects')).data.map(({ name }) => name);
  const runServer = async (args: string[], env: Record<string, string> = {}) => {
    const spawned = spawnBundle('server.js', args, { env });
    const { code } = await spawned.exited;
    return { code, stdout: spawned.stdout, stderr: spawned.stderr.join('\n') };
  };

  it('prints one line when it is ready, and stops on SIGTERM and SIGINT with exit code 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await start();
      service.child.kill(signal);
      assert.deepEqual(await service.exited, { code: 0, signal: null });
      assert.deepEqual(
        service.stdout.map((line) => JSON.parse(line) as unknown),
        [{ event: 'ready', url: service.url, pid: service.child.pid }],
      );
      assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.ok(!(await readdir(dataDir)).includes('service.json'));
    }
  });

  it('stops when standard input ends, if configured', async () => {
    const service = await start({ args: ['--stdin-lifeline'] });
    service.child.stdin!.end();
    assert.deepEqual(await service.exited, { code: 0, signal: null });
  });

  it('keeps its data over a stop and a kill, and can start again immediately', async () => {
    const first = await start();
    await first.request('POST', '/v1/project', { body: { name: 'one' } });
    await first.stop();
    const second = await start();
    assert.equal(second.key, first.key);
    await second.request('POST', '/v1/project', { body: { name: 'two' } });
    await second.kill();
    const third = await start();
    assert.deepEqual(await projectNames(third), ['default', 'one', 'two']);
  });

  it('ends with exit code 1 on an unexpected failure, reports it, and can start again', async () => {
    const preload = join(dataDir, 'preload.cjs');
    await writeFile(preload, "process.on('SIGUSR2', () => { throw new Error('boom'); });");
    const service = await start({ env: { NODE_OPTIONS: `--require ${preload}` } });
    service.child.kill('SIGUSR2');
    assert.deepEqual(await service.exited, { code: 1, signal: null });
    const last = JSON.parse(service.stderr.at(-1)!) as { level: number; err: { message: string } };
    assert.equal(last.level, 60);
    assert.equal(last.err.message, 'boom');
    assert.ok(!(await readdir(dataDir)).includes('service.json'));
    await start();
  });

  it('loses no acknowledged change if it is killed during many changes', async () => {
    const service = await start({ config: { limits: { projectsPerUser: 1000 } } });
    const acknowledged: string[] = [];
    const requests = Array.from({ length: 60 }, async (_, index) => {
      const name = `p${index}`;
      const { code } = await service.request('POST', '/v1/project', { body: { name } });
      assert.equal(code, 0);
      acknowledged.push(name);
    });
    await Promise.any(requests);
    await service.kill();
    await Promise.allSettled(requests);
    const again = await start();
    const names = new Set(await projectNames(again));
    assert.deepEqual(
      acknowledged.filter((name) => !names.has(name)),
      [],
    );
  });

  it('refuses a data directory in use, and names the process and address', async () => {
    const service = await start();
    const second = await runServer(['--port', '0', '--data-dir', dataDir]);
    assert.equal(second.code, 3);
    assert.deepEqual(second.stdout, []);
    assert.ok(second.stderr.includes(String(service.child.pid)), second.stderr);
    assert.ok(second.stderr.includes(service.url), second.stderr);
    assert.equal((await service.request('GET', '/v1/projects')).code, 0);
  });

  it('acquires the directory only once if several start at the same time', async () => {
    await writeFile(
      join(dataDir, 'service.json'),
      JSON.stringify({ pid: 2 ** 22 + 1, url: null, instance: 'dead', adminToken: 'x' }),
    );
    const all = [1, 2, 3].map(() =>
      spawnBundle('server.js', ['--port', '0', '--data-dir', dataDir]),
    );
    const refused: number[] = [];
    const twoRefused = new Promise<void>((resolve) => {
      for (const { exited } of all) {
        void exited.then(({ code }) => {
          if (code === 3 && refused.push(code) === 2) resolve();
        });
      }
    });
    await twoRefused;
    for (const { child } of all) child.kill('SIGTERM');
    const codes = await Promise.all(all.map(async ({ exited }) => (await exited).code));
    assert.deepEqual(codes.sort(), [0, 3, 3]);
  });

  it('keeps its files private to its user', async () => {
    await start();
    for (const name of ['store.json', 'service.json', 'access-key']) {
      assert.equal((await stat(join(dataDir, name))).mode & 0o777, 0o600, name);
    }
    const store = await readFile(join(dataDir, 'store.json'), 'utf8');
    assert.ok(!store.includes((await readFile(join(dataDir, 'access-key'), 'utf8')).trim()));
  });

  for (const [name, text] of [
    ['half-written', '{"schemaVersion":1,"users":{"user_'],
    ['empty', ''],
    ['of another shape', '{"schemaVersion":1,"users":[]}'],
  ] as const) {
    it(`does not start with a store file that is ${name}, and reports the remedy`, async () => {
      await writeFile(join(dataDir, 'store.json'), text);
      const { code, stderr, stdout } = await runServer(['--port', '0', '--data-dir', dataDir]);
      assert.equal(code, 1);
      assert.deepEqual(stdout, []);
      assert.match(stderr, /store\.json is damaged .* run \\"forklens store repair\\"/);
      assert.equal(await readFile(join(dataDir, 'store.json'), 'utf8'), text);
      assert.deepEqual(await readdir(dataDir), ['store.json']);
    });
  }

  it('rejects a store file of a newer version and leaves it unchanged', async () => {
    const text = '{"schemaVersion":99}';
    await writeFile(join(dataDir, 'store.json'), text);
    const { code, stderr, stdout } = await runServer(['--port', '0', '--data-dir', dataDir]);
    assert.equal(code, 1);
    assert.deepEqual(stdout, []);
    assert.match(stderr, /schema version 99/);
    assert.equal(await readFile(join(dataDir, 'store.json'), 'utf8'), text);
    assert.deepEqual(await readdir(dataDir), ['store.json']);
  });

  it('keeps its address over a restart, unless another process uses the port', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    assert.equal(second.url, first.url);
    await second.stop();
    const other = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(other, 'listening');
    const third = await start();
    assert.notEqual(third.url, first.url);
    await third.stop();
    other.close();
  });

  it('reports that its port is in use', async () => {
    const { url } = await start();
    const other = join(dataDir, 'other');
    const { code, stderr } = await runServer(['--port', new URL(url).port, '--data-dir', other]);
    assert.equal(code, 1);
    assert.match(stderr, /the port is in use/);
  });

  it('rejects invalid options and config files with exit code 2, without showing secrets', async () => {
    const config = join(dataDir, 'config.json');
    await writeFile(config, JSON.stringify({ chains: [ethChain('ftp://secret-key')] }));
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['--port', 'x'], {}, /--port.*whole number from 0 to 65535/],
      [[], { FORKLENS_PORT: '70000' }, /FORKLENS_PORT.*65535/],
      [['--bogus'], {}, /unknown option '--bogus'/],
      [['--config', config], {}, /chains\[0\]\.rpcUrls\[0\]: an http:\/\/ or https:\/\/ URL/],
      [['--config', join(dataDir, 'none.json')], {}, /cannot read the config file/],
    ];
    for (const [args, env, message] of cases) {
      const { code, stderr } = await runServer([...args, '--data-dir', dataDir], env);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.ok(!stderr.includes('secret-key'));
    }
  });

  it('reads options from the environment', async () => {
    const service = await start({
      env: { FORKLENS_ALLOWED_HOSTS: 'forks.example', FORKLENS_STDIN_LIFELINE: 'false' },
    });
    service.child.stdin!.end();
    const response = await fetch(`${service.url}/health`);
    assert.equal(response.status, 200);
  });

  it('limits requests as configured', async () => {
    const service = await start({ config: { limits: { requestsPerMinute: 3 } } });
    const codes: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      codes.push((await service.request('GET', '/v1/projects')).code);
    }
    assert.deepEqual(codes, [0, 0, 0, 42900]);
    assert.equal((await fetch(`${service.url}/health`)).status, 200);
  });

  it('passes a key to its parent over the process channel, with one valid key at a time', async () => {
    const service = await start({ ipc: true });
    const ask = async (): Promise<string> => {
      const answer = once(service.child, 'message');
      service.child.send({ type: 'issue-access-key' });
      const [message] = (await answer) as [{ type: string; key: string }];
      assert.equal(message.type, 'access-key');
      return message.key;
    };
    const first = await ask();
    assert.equal((await service.request('GET', '/v1/projects', { key: first })).code, 0);
    const second = await ask();
    assert.equal((await service.request('GET', '/v1/projects', { key: first })).code, 40101);
    assert.equal((await service.request('GET', '/v1/projects', { key: second })).code, 0);
    assert.equal((await service.request('GET', '/v1/projects')).code, 0);
  });

  it('is administered by the command line while it is not running', async () => {
    const cli = <T>(...args: string[]) => runCliJson<T>(dataDir, ...args);
    await cli('user', 'add', '--nickname', 'Ann', '--email', 'Ann@Example.org');
    const { key } = await cli<{ key: string }>('key', 'create', '--user', 'ann@example.org');
    const users = await cli<{ email: string }[]>('user', 'list');
    assert.deepEqual(
      users.map(({ email }) => email),
      ['ann@example.org'],
    );
    const twice = await runCli(
      'user',
      'add',
      '--nickname',
      'A',
      '--email',
      'ann@example.org',
      '--data-dir',
      dataDir,
    );
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /exists already/);
    assert.equal((await runCli('user', 'add', '--data-dir', dataDir)).code, 2);
    const service = await start();
    const list = await service.request<Project[]>('GET', '/v1/projects', { key });
    assert.deepEqual(
      list.data.map(({ name }) => name),
      ['default'],
    );
  });

  it('keeps access keys out of the log, wherever a client sends them', async () => {
    const service = await start({ args: ['--log-level', 'trace'] });
    await service.request('GET', `/v1/${service.key}?key=${service.key}`);
    await service.request('GET', `/v1/project/${service.key}`);
    await service.request('POST', '/v1/project', { text: `{${service.key}` });
    await service.stop();
    const requests = service.stderr.filter((line) => line.includes('"requestId"'));
    assert.equal(requests.length, 3);
    assert.deepEqual(
      service.stderr.filter((line) => line.includes('fl_')),
      [],
    );
    for (const line of service.stderr) JSON.parse(line);
  });

  it('accepts administration only with the token', async () => {
    const service = await start();
    for (const headers of [{}, { Authorization: 'Bearer x' }]) {
      const answer = await service.request('POST', '/admin/listUsers', { body: {}, headers });
      assert.equal(answer.code, 40400);
    }
  });
});
