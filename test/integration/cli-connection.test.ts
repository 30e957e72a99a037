import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DoctorReport } from '../../server/api/doctor';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { CommandLine } from '../support/command-line';
import { eventually } from '../support/eventually';
import { isRunning } from '../support/proc';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** A deadline for a service to start or to end. */
const START_MS = 30_000;
const NO_SERVICES = { abi: { sourcify: { enabled: false }, signatures: { enabled: false } } };

describe('the service of the command line', function () {
  this.timeout(60_000);
  let home: string;
  let dataDir: string;
  /** Folder for the temporary files of commands. */
  let temporary: string;
  let cli: CommandLine;

  beforeEach(async () => {
    [home, dataDir, temporary] = await Promise.all([
      makeTemporaryDirectory(),
      makeTemporaryDirectory(),
      makeTemporaryDirectory(),
    ]);
    const config = join(home, 'config.json');
    await writeFile(config, JSON.stringify(NO_SERVICES));
    cli = new CommandLine(home, {
      FORKLENS_DATA_DIR: dataDir,
      FORKLENS_CONFIG: config,
      TMPDIR: temporary,
    });
  });
  afterEach(async () => {
    for (const folder of [home, dataDir, temporary]) await removeDirectory(folder);
  });

  const isLocked = async (): Promise<boolean> => (await readdir(dataDir)).includes('service.json');

  describe('without a running service', () => {
    it('is started for the duration of the command, and leaves only its data', async () => {
      const { projectId } = await cli.json<Project>('project', 'create', 'kept');
      assert.equal(await isLocked(), false);
      const all = await cli.json<Project[]>('project', 'list');
      assert.deepEqual(
        all.map(({ name }) => name),
        ['default', 'kept'],
      );
      assert.equal(all[1]!.projectId, projectId);
      assert.deepEqual(await readdir(temporary), []);
    });

    it('includes the built-in chain on request, and if there are forks of it', async () => {
      const create = ['fork', 'create', 'sandbox', '--sandbox', '--name', 'mine'];
      const created = await cli.run(create);
      assert.equal(created.code, 0, created.stderr);
      assert.match(
        created.stderr,
        /The RPC address answers only while a service runs: forklens serve$/,
      );
      assert.equal(Number(await cli.text('fork', 'rpc', 'mine', 'eth_blockNumber')), 17);
      assert.equal(await isLocked(), false);
      assert.deepEqual(await readdir(temporary), []);
    });

    it('is shared by simultaneous commands', async () => {
      const names = ['a', 'b', 'c'];
      await Promise.all(names.map((name) => cli.text('project', 'create', name)));
      const all = await cli.json<Project[]>('project', 'list');
      assert.deepEqual(all.map(({ name }) => name).sort(), ['a', 'b', 'c', 'default']);
      assert.equal(await isLocked(), false);
    });

    it('reports why it does not start', async () => {
      const config = join(home, 'wrong.json');
      await writeFile(config, '{"chains": 5}');
      const { code, stderr } = await cli.run(['project', 'list', '--config', config]);
      assert.equal(code, 2);
      assert.match(stderr, /^error: .*wrong\.json: chains: /);
      const file = join(home, 'not-a-folder');
      await writeFile(file, '');
      const impossible = await cli.run(['project', 'list', '--data-dir', file]);
      assert.equal(impossible.code, 2);
      assert.match(
        impossible.stderr,
        /^error: the service cannot start: the data directory .*not-a-folder cannot be written \(ENOTDIR: /,
      );
    });

    it('is refused on a data directory that is not writable, for every command', async function () {
      if (process.platform !== 'linux') this.skip(); // nobody can create a folder in /proc
      const commands = ['project list', 'fork list', 'user list', 'store repair', 'serve --port 0'];
      for (const command of commands) {
        const args = [...command.split(' '), '--data-dir', '/proc/nope/below'];
        const { code, stderr } = await cli.run(args);
        assert.equal(code, 2, command);
        const message =
          'the data directory /proc/nope/below cannot be written (ENOENT: no such file or directory); accepted: a folder that you can write to';
        assert.ok(stderr.includes(message), stderr);
      }
      const doctor = await cli.run(['doctor', '--json', '--data-dir', '/proc/nope']);
      assert.equal(doctor.code, 1);
      const found = doctor
        .json<DoctorReport>()
        .findings.find(({ name }) => name === 'data directory');
      assert.equal(found!.status, 'failed');
    });

    it('ends when its command is killed', async () => {
      const events = cli.spawn(['events']);
      await once(events.child.stderr!, 'data'); // it is listening
      const { pid } = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')) as {
        pid: number;
      };
      assert.ok(isRunning(pid));
      events.child.kill('SIGKILL');
      await eventually(async () => {
        assert.equal(await isLocked(), false);
      }, START_MS);
    });

    it('is never the service of another data directory, even if a stale record contains its port', async () => {
      const other = await startService();
      const record = JSON.parse(
        await readFile(join(other.dataDir, 'service.json'), 'utf8'),
      ) as object;
      const stale = { ...record, pid: 2 ** 22 - 1, instance: 'another run' };
      await writeFile(join(dataDir, 'service.json'), JSON.stringify(stale));
      await writeFile(join(dataDir, 'access-key'), other.key);
      const account = await cli.json<{ url: string; origin: string }>('account');
      assert.equal(account.origin, 'own service');
      assert.notEqual(account.url, other.url);
      await other.stop();
    });
  });

  describe("with a running service without a key in the data directory, such as the editor's", () => {
    it('is used with a temporary key for the duration of the command', async () => {
      const service = await startService({ dataDir });
      await rm(join(dataDir, 'access-key'));
      const account = await cli.json<{ nickname: string; origin: string }>('account');
      assert.deepEqual([account.nickname, account.origin], ['local', 'data directory']);
      const keys = await cli.json<{ label: string }[]>('key', 'list');
      assert.deepEqual(
        keys.map(({ label }) => label),
        ['access-key file'],
      );
      assert.equal((await readdir(dataDir)).includes('access-key'), false);
      await service.stop();
    });

    it('is not used if only other users are registered', async () => {
      await cli.text('user', 'add', '--nickname', 'Ann', '--email', 'ann@example.org');
      const { key } = await cli.json<{ key: string }>('key', 'create', '--user', 'ann@example.org');
      const serve = cli.spawn(['serve', '--port', '0', '--', '--local-user', 'false']);
      await once(serve.child.stdout!, 'data');
      const refused = await cli.run(['project', 'list']);
      assert.equal(refused.code, 4);
      assert.match(
        refused.stderr,
        /^error: no access key is known for this service; set --access-key /,
      );
      const env = { FORKLENS_ACCESS_KEY: key };
      const accepted = await cli.run(['account', '--json'], { env });
      assert.equal(accepted.json<{ nickname: string }>().nickname, 'Ann');
      serve.child.kill('SIGINT');
      assert.deepEqual(await serve.exited, { code: 0, signal: null });
    });
  });

  describe('with a URL or a profile', () => {
    let service: TestService;
    let plain: CommandLine;

    beforeEach(async () => {
      service = await startService();
      plain = new CommandLine(home);
    });
    afterEach(() => service.stop());

    it('gets the key of the environment, and never the key of another service', async () => {
      const named = await plain.run(['account', '--json'], {
        env: { FORKLENS_URL: service.url, FORKLENS_ACCESS_KEY: service.key },
      });
      assert.equal(named.json<{ origin: string }>().origin, 'option');
      const earlier = ['account', '--url', service.url, '--key', service.key];
      assert.match(await plain.text(...earlier), /^User +local </);
      await writeFile(join(dataDir, 'access-key'), service.key);
      const stranger = await cli.run(['account', '--url', service.url]);
      assert.equal(stranger.code, 4);
      const silent = await plain.run(['account', '--url', 'http://127.0.0.1:9', '--json']);
      assert.equal(silent.code, 3);
      assert.equal((JSON.parse(silent.stderr) as { code: number }).code, 50200);
    });

    it('is stored by login, used from then on, and removed by logout', async () => {
      const login = ['login', service.url, '--name', 'team'];
      const wrong = await plain.run(login, { input: 'fl_wrong\n' });
      assert.equal(wrong.code, 4);
      const stored = await plain.run(login, { input: `${service.key}\n` });
      assert.equal(stored.code, 0, stored.stderr);
      assert.doesNotMatch(stored.stdout + stored.stderr, new RegExp(service.key));
      const file = join(home, 'forklens/profiles.json');
      assert.equal((await stat(file)).mode & 0o777, 0o600);

      const account = await plain.json<{ url: string; origin: string }>('account');
      assert.deepEqual([account.url, account.origin], [service.url, 'profile']);
      const named = ['account', '--data-dir', dataDir];
      assert.equal((await plain.json<{ origin: string }>(...named)).origin, 'own service');
      const profiles = await plain.text('profile', 'list');
      assert.match(profiles, new RegExp(`^team +${service.url} +in use$`, 'm'));
      assert.doesNotMatch(profiles, /fl_/);

      const typo = await plain.run(['account', '--profile', 'taem']);
      assert.equal(typo.code, 2);
      assert.match(typo.stderr, /^error: profile "taem" does not exist; .*did you mean team\?$/);
      await plain.text('logout');
      assert.equal(JSON.stringify(await plain.json('profile', 'list')), '[]');
      assert.doesNotMatch(await readFile(file, 'utf8'), /fl_/);
    });

    it('is refused if its key file is readable by others', async () => {
      const login = ['login', service.url];
      assert.equal((await plain.run(login, { input: service.key })).code, 0);
      const file = join(home, 'forklens/profiles.json');
      await chmod(file, 0o644);
      const { code, stderr } = await plain.run(['account']);
      assert.equal(code, 2);
      assert.match(stderr, /can be read by other users; restrict it: chmod 600 /);
    });

    it('administers collaborators of a remote project over REST', async () => {
      const local = new CommandLine(home, { FORKLENS_DATA_DIR: service.dataDir });
      await local.text('user', 'add', '--nickname', 'Bob', '--email', 'bob@example.org');
      const named = ['collaborator', 'add', '--project', 'default', '--email', 'bob@example.org'];
      assert.equal(await local.text(...named), 'Added bob@example.org.');
      const [own] = await local.json<Project[]>('project', 'list');
      const byId = ['--project', own!.projectId, '--email', 'bob@example.org'];
      await local.text('collaborator', 'remove', ...byId);
      await plain.run(['login', service.url], { input: service.key });
      const project = ['--project', 'default'];
      await plain.text('collaborator', 'add', ...project, '--email', 'bob@example.org');
      const list = await plain.text('collaborator', 'list', ...project, '-q');
      assert.equal(list, 'bob@example.org');
      await plain.text('collaborator', 'remove', ...project, '--email', 'bob@example.org');
      assert.equal(await plain.text('collaborator', 'list', ...project, '-q'), '');
    });
  });

  describe('on Ctrl-C', () => {
    let node: Server;
    let asked: Promise<unknown>;

    beforeEach(async () => {
      // A node that accepts requests and never answers.
      node = createServer(() => undefined);
      node.listen(0, '127.0.0.1');
      await once(node, 'listening');
      asked = once(node, 'request');
    });
    afterEach(() => {
      node.closeAllConnections();
      node.close();
    });

    const configOf = (): object => {
      const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
      return { chains: [{ slug: 'slow', chainId: 5, rpcUrls: [url] }], ...NO_SERVICES };
    };

    it('cancels the creation of a fork', async () => {
      const service = await startService({ dataDir, config: configOf() });
      const create = cli.spawn(['fork', 'create', 'slow', '--json']);
      await asked;
      create.child.kill('SIGINT');
      assert.deepEqual(await create.exited, { code: 130, signal: null });
      assert.deepEqual(JSON.parse(create.stderr.join('')), { code: 49900, message: 'cancelled' });
      assert.deepEqual(await cli.json<Fork[]>('fork', 'list'), []);
      await service.stop();
      assert.ok(
        service.stderr.some((line) => /"operation":"createFork".*"finished":false/.test(line)),
      );
    });

    it('ends if the command started it', async () => {
      const config = join(home, 'slow.json');
      await writeFile(config, JSON.stringify(configOf()));
      const create = cli.spawn(['fork', 'create', 'slow', '--config', config]);
      await asked;
      create.child.kill('SIGINT');
      assert.deepEqual(await create.exited, { code: 130, signal: null });
      assert.equal(await isLocked(), false);
      assert.deepEqual(await readdir(temporary), []);
    });

    it('ends even during its start', async () => {
      const list = cli.spawn(['project', 'list', '--sandbox']);
      await eventually(async () => {
        assert.ok(await isLocked());
      }, START_MS);
      list.child.kill('SIGINT');
      assert.deepEqual(await list.exited, { code: 130, signal: null });
      assert.equal(await isLocked(), false);
      assert.deepEqual(await readdir(temporary), []);
    });

    it('ends with the demo, which leaves no folder', async () => {
      const demo = cli.spawn(['demo']);
      await once(demo.child.stdout!, 'data');
      demo.child.kill('SIGINT');
      const { code } = await demo.exited;
      assert.equal(code, 130);
      assert.deepEqual(await readdir(temporary), []);
    });
  });
});
