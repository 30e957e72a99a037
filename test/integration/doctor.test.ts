import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DoctorReport, Finding } from '../../server/api/doctor';
import { checkIsolation } from '../../server/cli/doctor/check-isolation';
import { VERSION } from '../../server/composition/startup/version';
import {
  createFork,
  runCli,
  spawnBundle,
  startService,
  type TestService,
} from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('the doctor', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await chmod(directory, 0o700);
  });
  afterEach(() => removeDirectory(directory));

  async function examine(
    ...args: string[]
  ): Promise<{ code: number | null; of: (name: string) => Finding }> {
    const { code, stdout } = await runCli('doctor', '--json', '--data-dir', directory, ...args);
    const { version, findings } = JSON.parse(stdout) as DoctorReport;
    assert.equal(version, VERSION);
    return { code, of: (name) => findings.find((finding) => finding.name === name)! };
  }

  const config = async (content: object): Promise<string[]> => {
    const file = join(directory, 'config.json');
    await writeFile(file, JSON.stringify(content));
    return ['--config', file];
  };

  it('reports a machine with all prerequisites as fine', async () => {
    const { code, of } = await examine('--port', '0');
    assert.equal(code, 0);
    for (const name of ['Node.js', 'engine', 'data directory', 'config file', 'service']) {
      assert.equal(of(name).status, 'ok', `${name}: ${of(name).message}`);
    }
    assert.match(of('engine').message, /^anvil 1\.5\.1 at \//);
    assert.match(of('solc').message, /^versions 0\.4\.26, .*0\.8\.30/);
  });

  it('reports whether engines run in an isolated network, and the remedy if they do not', async () => {
    const { of } = await examine('--port', '0');
    const here = of('isolation of engines');
    if (here.status === 'ok') assert.equal(here.message, 'engines run in an isolated network');
    const elsewhere = await checkIsolation({ platform: 'darwin' });
    assert.equal(elsewhere.status, 'warning');
    assert.match(elsewhere.message, /reach them: only Linux has network namespaces$/);
    assert.match(elsewhere.advice!, /^Run the service on Linux/);
    const without = await checkIsolation({ platform: 'linux', unshare: 'false' });
    assert.match(without.message, /reach them: unshare ended with 1$/);
    assert.match(without.advice!, /user\.max_user_namespaces/);
  });

  it('queries no public endpoint that was not configured, and neither does its service', async () => {
    const env = { NODE_OPTIONS: `--require ${join(__dirname, '../support/lookups.cjs')}` };
    const service = await startService({ dataDir: directory, env });
    const args = ['doctor', '--json', '--data-dir', directory];
    const cli = spawnBundle('cli.js', args, { env });
    await cli.exited;
    const { findings } = JSON.parse(cli.stdout.join('\n')) as DoctorReport;
    assert.equal(findings.find(({ name }) => name === 'service')?.status, 'ok');
    await service.stop();
    for (const { stderr } of [service, cli]) {
      assert.ok(stderr.includes('lookups are recorded'));
      assert.deepEqual(
        stderr.filter((line) => line.startsWith('looks for')),
        [],
      );
    }
  });

  it('reports an engine that is not anvil, and the remedy', async () => {
    const { code, of } = await examine(
      ...(await config({ engine: { anvilPath: '/nowhere/anvil' } })),
    );
    assert.equal(code, 1);
    assert.equal(of('engine').status, 'failed');
    assert.match(of('engine').message, /engine\.anvilPath .*\/nowhere\/anvil/);
    assert.match(of('engine').advice!, /Install Foundry/);
  });

  it('reports the position of a fault in the config file, without its values', async () => {
    const chains = [{ slug: 'eth', chainId: 1, rpcUrls: ['ftp://node/secret-key'] }];
    const { code, of } = await examine(...(await config({ chains })));
    assert.equal(code, 1);
    assert.match(
      of('config file').message,
      /chains\[0\]\.rpcUrls\[0\]: an http:\/\/ or https:\/\/ URL/,
    );
    assert.doesNotMatch(of('config file').message, /secret-key/);
  });

  it('reports a data directory and a key that others can read', async () => {
    await chmod(directory, 0o755);
    await writeFile(join(directory, 'access-key'), 'k', { mode: 0o644 });
    const { code, of } = await examine();
    assert.equal(code, 1);
    assert.equal(of('data directory').status, 'warning');
    assert.equal(of('data directory').advice, `Restrict it: chmod 700 ${directory}`);
    assert.equal(of('access key').status, 'failed');
  });

  it('reports a port in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { of } = await examine('--port', String(port));
    server.close();
    assert.equal(of(`port ${port}`).message, 'used by another program');
  });

  it('prints text for people, with counts', async () => {
    const { stdout } = await runCli('doctor', '--data-dir', directory);
    assert.match(stdout, /^Forklens /);
    assert.match(stdout, /\n✓ Node\.js: version /);
    assert.match(stdout, /\d+ ok, \d+ with a warning, 0 failed$/);
  });

  describe('with a running service', () => {
    let service: TestService;
    let node: string;

    before(async () => {
      service = await startService({ args: ['--sandbox'] });
      node = (await createFork(service, { chainId: 31337 })).rpc;
    });
    after(() => service.stop());

    it('finds the service, and checks its key', async () => {
      const { stdout } = await runCli('doctor', '--json', '--data-dir', service.dataDir);
      const { findings } = JSON.parse(stdout) as DoctorReport;
      const message = (name: string) => findings.find((one) => one.name === name)?.message;
      assert.equal(message('service'), `version ${VERSION} at ${service.url}`);
      assert.equal(message('access key'), 'of local: manage, analyze');
      assert.equal(message('audit log'), 'no entry of the last 30 days was removed');
      assert.match(
        message('event loop')!,
        /^longest pause since the start: .*\d s; most processor time in a pause: \d+\.\d\d s$/,
      );
    });

    it('checks the endpoints of the config file, and reports one of another chain', async () => {
      const entry = { slug: 'mine', chainId: 31337, rpcUrls: [node, 'http://127.0.0.1:9/secret'] };
      const other = { slug: 'eth', chainId: 1, rpcUrls: [node] };
      const { code, of } = await examine(...(await config({ chains: [entry, other] })));
      assert.equal(code, 1);
      assert.match(
        of('endpoint of mine (1 of 2)').message,
        /^chain id 31337, archive node, debug API, \d+ ms$/,
      );
      const dead = of('endpoint of mine (2 of 2)');
      assert.equal(dead.status, 'failed');
      assert.doesNotMatch(JSON.stringify(dead), /secret/);
      assert.match(of('endpoint of eth (1 of 1)').advice!, /^The chain id of eth is 1:/);
    });

    it('checks endpoints from standard input', async () => {
      const { child, stdout, exited } = spawnBundle('cli.js', [
        'doctor',
        '--json',
        '--data-dir',
        directory,
        '--endpoints-from-stdin',
      ]);
      child.stdin!.end(JSON.stringify([{ slug: 'copy', chainId: 31337, url: node }]));
      assert.equal((await exited).code, 0);
      const { findings } = JSON.parse(stdout.join('\n')) as DoctorReport;
      const found = findings.find(({ name }) => name === 'endpoint of copy (added)');
      assert.equal(found?.status, 'ok');
    });
  });
});
