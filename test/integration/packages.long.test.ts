import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DoctorReport } from '../../server/api/doctor';
import type { Fork } from '../../server/api/fork';
import { VERSION } from '../../server/composition/startup/version';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { filesInZip } from '../support/zip';

const ROOT = path.resolve(__dirname, '../..');
const PACKAGES = ['forklens.tgz', 'forklens-linux-x64.vsix'];
const PAGE = 'https://github.com/forklens/forklens';

interface Component {
  name: string;
  group?: string;
  version: string;
  purl: string;
  scope?: string;
  hashes?: { alg: string; content: string }[];
  licenses: unknown[];
}
interface Sbom {
  specVersion: string;
  serialNumber?: string;
  metadata: { timestamp: string; component: { purl: string } };
  components: Component[];
}

/** Packs the npm package and the extension with the given time zone and umask. */
function pack(folder: string, environment: { TZ: string; umask: string }): void {
  const args = ['extension/packaging/package.mjs', '--target', 'npm', '--target', 'linux-x64'];
  const command = `umask ${environment.umask}; exec "$0" "$@"`;
  execFileSync('/bin/sh', ['-c', command, process.execPath, ...args, '--out-dir', folder], {
    cwd: ROOT,
    env: { ...process.env, TZ: environment.TZ, SOURCE_DATE_EPOCH: '1767225600' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

describe('the packages', function () {
  this.timeout(300_000);
  let folder: string;
  let extension: Map<string, Buffer>;
  let installed: string;

  before(async () => {
    folder = await makeTemporaryDirectory();
    pack(path.join(folder, 'one'), { TZ: 'UTC', umask: '022' });
    pack(path.join(folder, 'two'), { TZ: 'Asia/Tokyo', umask: '077' });
    extension = filesInZip(readFileSync(path.join(folder, 'one/forklens-linux-x64.vsix')));
    installed = path.join(folder, 'empty/node_modules/forklens');
    mkdirSync(installed, { recursive: true });
    const tarball = path.join(folder, 'one/forklens.tgz');
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
    symlinkSync(
      path.join(ROOT, 'node_modules/@foundry-rs'),
      path.join(installed, '../@foundry-rs'),
    );
    mkdirSync(path.join(installed, '../.bin'));
    symlinkSync('../forklens/dist/cli.js', path.join(installed, '../.bin/forklens'));
  });
  after(() => removeDirectory(folder));

  const inExtension = (name: string): string => extension.get(`extension/${name}`)!.toString();
  const inService = (name: string): string => readFileSync(path.join(installed, name), 'utf8');

  async function forklens(...args: string[]): Promise<string> {
    const home = path.join(folder, 'home');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(installed, 'dist/cli.js'), ...args],
      { cwd: path.join(folder, 'empty'), env: { PATH: process.env['PATH'], HOME: home } },
    );
    return stdout;
  }

  for (const name of PACKAGES) {
    it(`${name} and its list of components have the same bytes from another time zone and umask`, () => {
      for (const file of [name, `${name}.cdx.json`]) {
        const [one, two] = ['one', 'two'].map((run) => readFileSync(path.join(folder, run, file)));
        assert.ok(one!.equals(two!), `${file} differs`);
      }
    });
  }

  it('contain no path of the build machine', () => {
    for (const [name, content] of extension) assert.ok(!content.includes(ROOT), name);
    for (const name of ['dist/cli.js', 'dist/server.js', 'dist/service.js'])
      assert.ok(!inService(name).includes(ROOT));
  });

  it('contain only files that users need', () => {
    const unwanted = /\.map$|\.tsx?$|(^|\/)(test|packaging|node_modules|screenshots|meta)\//;
    const listing = ['-tzf', path.join(folder, 'one/forklens.tgz')];
    const service = execFileSync('tar', listing, { encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual(
      [...extension.keys(), ...service].filter((name) => unwanted.test(name)),
      [],
    );
    assert.deepEqual(
      service.filter((name) => !name.startsWith('package/dist/')).sort(),
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'THIRD-PARTY-LICENSES.txt',
        'package.json',
        'sbom.cdx.json',
      ].map((name) => `package/${name}`),
    );
    assert.ok(!service.includes('package/dist/extension.js'));
  });

  it('name every component with its licence, inside and next to the package', () => {
    for (const [name, inside] of [
      [PACKAGES[0]!, inService],
      [PACKAGES[1]!, inExtension],
    ] as const) {
      const text = inside('sbom.cdx.json');
      assert.equal(text, readFileSync(path.join(folder, 'one', `${name}.cdx.json`), 'utf8'));
      const sbom = JSON.parse(text) as Sbom;
      assert.equal(sbom.specVersion, '1.6');
      assert.equal(sbom.serialNumber, undefined);
      assert.equal(sbom.metadata.timestamp, '2026-01-01T00:00:00.000Z');
      const ethers = sbom.components.find((component) => component.name === 'ethers')!;
      assert.equal(ethers.purl, `pkg:npm/ethers@${ethers.version}`);
      assert.deepEqual(ethers.licenses, [{ license: { id: 'MIT', acknowledgement: 'declared' } }]);
      assert.deepEqual(
        sbom.components.filter(({ licenses }) => licenses.length === 0),
        [],
      );
      assert.match(inside('THIRD-PARTY-LICENSES.txt'), /\nethers 6\.[^]*Permission is hereby/);
    }
  });

  it('the extension contains the engine of its list of components', () => {
    const { components } = JSON.parse(inExtension('sbom.cdx.json')) as Sbom;
    const engine = components.find(({ name }) => name === 'anvil-linux-amd64')!;
    const bytes = extension.get('extension/dist/engine/anvil')!;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(engine.hashes, [{ alg: 'SHA-256', content: sha256 }]);
    assert.equal(engine.purl, 'pkg:npm/%40foundry-rs/anvil-linux-amd64@1.5.1');
  });

  it('the extension has a version that the marketplaces accept, and is a pre-release there', () => {
    const manifest = JSON.parse(inExtension('package.json')) as Record<string, unknown>;
    assert.match(String(manifest['version']), /^\d+\.\d+\.\d+$/);
    assert.equal(manifest['version'], VERSION.replace(/^1\.0\.0-rc\.(\d+)$/, '0.99.$1'));
    assert.equal(manifest['devDependencies'], undefined);
    const vsix = extension.get('extension.vsixmanifest')!.toString();
    assert.equal(
      vsix.includes('VisualStudio.Code.PreRelease" Value="true"'),
      VERSION.includes('-rc.'),
    );
  });

  it('have pages whose pictures and links are files of this version', () => {
    const readme = [...extension.keys()].find((name) => /readme\.md$/i.test(name))!;
    for (const page of [extension.get(readme)!.toString(), inService('README.md')]) {
      const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
      assert.deepEqual(
        links.filter((link) => !/^(https:|#)/.test(link)), // headings of the page itself stay
        [],
      );
      const own = links.flatMap(
        (link) => new RegExp(`^${PAGE}/(raw|blob)/v${VERSION}/([^#]+)`).exec(link) ?? [],
      );
      const files = own.filter((_, index) => index % 3 === 2);
      assert.ok(files.length > 2, `${files.length} links`);
      for (const file of files) assert.ok(existsSync(path.join(ROOT, file)), file);
    }
  });

  it('the npm package declares its name, its commands and its only dependency', () => {
    const manifest = JSON.parse(inService('package.json')) as Record<string, unknown>;
    assert.equal(manifest['name'], 'forklens');
    assert.equal(manifest['version'], VERSION);
    assert.equal(manifest['private'], undefined);
    assert.deepEqual(manifest['dependencies'], { '@foundry-rs/anvil': '1.5.1' });
    assert.deepEqual(manifest['bin'], {
      forklens: 'dist/cli.js',
      'forklens-server': 'dist/server.js',
    });
  });

  it('the npm package runs from an empty folder', async () => {
    assert.equal(await forklens('--version'), `${VERSION}\n`);
    assert.match(await forklens('--help'), /^Usage: forklens /);
    const report = JSON.parse(await forklens('doctor', '--json', '--port', '0')) as DoctorReport;
    assert.equal(report.version, VERSION);
    const engine = report.findings.find(({ name }) => name === 'engine');
    assert.equal(engine?.status, 'ok', engine?.message);
    assert.match(await forklens('demo'), /Balance changes|balance/i);
  });

  it('npx takes a new user of the npm package to an analyzed transaction of a fork in a minute', async function () {
    const home = path.join(folder, 'new-user');
    const npx = async (...args: string[]): Promise<string> => {
      const { stdout } = await promisify(execFile)('npx', ['--no', 'forklens', '--', ...args], {
        cwd: path.join(folder, 'empty'),
        env: { PATH: process.env['PATH'], HOME: home, NO_UPDATE_NOTIFIER: '1' },
      });
      return stdout.trim();
    };
    const create = ['fork', 'create', 'sandbox', '--sandbox', '--name', 'first', '--json'];
    const fork = JSON.parse(await npx(...create)) as Fork;
    const receiver = `0x${'5e'.repeat(20)}`;
    const send = ['fork', 'send', 'first', receiver, '--value', '1.5ether'];
    const hash = await npx(...send, '--from', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
    const text = await npx('tx', 'first', hash);
    assert.match(text, new RegExp(`^✓ Succeeded {2}${hash}\\non ${fork.forkId} · block 18 · `));
    assert.match(text, /0x5e5e…5e5e +ETH +\+1\.5/);
    assert.deepEqual(readdirSync(home), ['.forklens', '.npm']);
  });
});
