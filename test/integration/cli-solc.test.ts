import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { NpmRegistry } from '../support/npm-registry';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('forklens solc', function () {
  this.timeout(240_000);
  let home: string;
  let cli: CommandLine;
  let registry: NpmRegistry;

  before(async () => {
    home = await makeTemporaryDirectory();
    const from = dirname(require.resolve('solc-0.7.6/package.json'));
    const read = (name: string): Promise<Buffer> => readFile(join(from, name));
    registry = await NpmRegistry.start('0.7.6', {
      'README.md': Buffer.from('not kept'),
      'package.json': await read('package.json'),
      'soljson.js': await read('soljson.js'),
      LICENSE: await read('LICENSE'),
    });
    cli = new CommandLine(home, {
      FORKLENS_DATA_DIR: join(home, 'data'),
      npm_config_registry: `${registry.url}/npm`,
    });
  });
  after(async () => {
    registry.close();
    await removeDirectory(home);
  });
  beforeEach(() => {
    registry.reset();
  });

  const modules = (): string => join(home, 'data', 'solc', 'node_modules');
  const there = (): Promise<string[]> => readdir(modules()).catch(() => []);

  it('installs nothing whose integrity is not that of the metadata', async () => {
    registry.isBroken = true;
    const { code, stderr } = await cli.run(['solc', 'add', '0.7.6']);
    assert.equal(code, 1);
    assert.match(stderr, /what 127\.0\.0\.1:\d+ sent is not solc 0\.7\.6: its SHA-512 is not/);
    assert.deepEqual(await there(), []);
  });

  it('installs nothing without a SHA-512', async () => {
    registry.integrity = undefined;
    const { code, stderr } = await cli.run(['solc', 'add', '0.7.6']);
    assert.equal(code, 1);
    assert.match(stderr, /gives no SHA-512 of solc 0\.7\.6/);
    assert.deepEqual(await there(), []);
  });

  it('says that there is no such version, and what a version is', async () => {
    const absent = await cli.run(['solc', 'add', '0.7.99']);
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /has no package solc 0\.7\.99: npm view solc versions lists them/);
    const wrong = await cli.run(['solc', 'add', 'latest']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /accepted: a version of solc without its commit, such as 0\.8\.19/);
  });

  it('fetches a compiler once, lists it, and removes it', async () => {
    assert.match(await cli.text('solc', 'add', '0.7.6'), /^installed solc 0\.7\.6 \(\d+\.\d MB\)$/);
    assert.deepEqual(registry.asked, ['/npm/solc/0.7.6', '/npm/solc/-/solc-0.7.6.tgz']);
    assert.deepEqual(await there(), ['solc-0.7.6']);
    assert.deepEqual((await readdir(join(modules(), 'solc-0.7.6'))).sort(), [
      'LICENSE',
      'package.json',
      'soljson.js',
    ]);
    registry.reset();
    assert.equal(await cli.text('solc', 'add', '0.7.6'), 'solc 0.7.6 was installed already');
    assert.deepEqual(registry.asked, []);
    const list = await cli.json<{ version: string; file: string; isRemovable: boolean }[]>(
      'solc',
      'list',
    );
    const own = list.find(({ isRemovable }) => isRemovable);
    assert.equal(own?.version, '0.7.6');
    assert.ok((await stat(own.file)).size > 1_000_000);
    assert.equal(await cli.text('solc', 'remove', '0.7.6'), 'removed solc 0.7.6');
    assert.deepEqual(await there(), []);
    const again = await cli.run(['solc', 'remove', '0.7.6']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /solc 0\.7\.6 is not in .*node_modules; there: none/);
  });

  it("takes the registry of the user's .npmrc", async () => {
    await writeFile(join(home, '.npmrc'), `registry=${registry.url}/npm/\n`);
    const other = new CommandLine(home, {
      FORKLENS_DATA_DIR: join(home, 'data'),
      npm_config_userconfig: '',
      npm_config_registry: '',
    });
    await other.text('solc', 'add', '0.7.6');
    assert.equal(registry.asked.length, 2);
    await other.text('solc', 'remove', '0.7.6');
  });

  it('says where a registry cannot be reached', async () => {
    const other = new CommandLine(home, {
      FORKLENS_DATA_DIR: join(home, 'data'),
      npm_config_registry: 'http://127.0.0.1:1/',
    });
    const { code, stderr } = await other.run(['solc', 'add', '0.7.6']);
    assert.equal(code, 1);
    assert.match(stderr, /127\.0\.0\.1:1 cannot be reached: check the network and the setting/);
  });
});
