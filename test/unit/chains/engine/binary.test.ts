import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  enginePackage,
  executableName,
  executablesOnPath,
  findAnvil,
  TESTED_ANVIL_VERSION,
} from '../../../../server/chains/engine/binary';
import { ApiError } from '../../../../server/api/errors';

describe('finding anvil', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forklens-test-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function script(name: string, body: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  }

  it('uses the configured one, and warns of an untested version', async () => {
    const path = await script('other', 'echo "anvil Version: 1.7.1-stable"');
    const found = await findAnvil({ configured: path });
    assert.deepEqual([found.path, found.version], [path, '1.7.1']);
    assert.match(
      found.warning ?? '',
      /^anvil 1\.7\.1 at .*other is used; the tested version is 1\.5\.1$/,
    );
    const old = await script('old', 'echo "anvil 0.2.0 (abc 2024)"');
    assert.equal((await findAnvil({ configured: old })).version, '0.2.0');
  });

  it('uses the bundled one of the tested version without a warning', async () => {
    const { version, warning, path } = await findAnvil({ path: '' });
    assert.equal(version, TESTED_ANVIL_VERSION);
    assert.equal(warning, undefined);
    assert.match(path, /@foundry-rs/);
  });

  it('names the one that does not run', async () => {
    const missing = join(folder, 'missing');
    const broken = await script('broken', 'exit 3');
    for (const [configured, message] of [
      [
        missing,
        /^engine\.anvilPath \(or FORKLENS_ANVIL\) is ".*missing", which is not an executable file$/,
      ],
      [broken, /broken does not run; install Foundry/],
    ] as const) {
      await assert.rejects(findAnvil({ configured }), (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.kind, 'engineUnavailable');
        assert.match(error.message, message);
        return true;
      });
    }
  });

  it('maps every platform to its package and file', () => {
    const machines = [
      ['linux', 'x64', '@foundry-rs/anvil-linux-amd64', 'anvil'],
      ['linux', 'arm64', '@foundry-rs/anvil-linux-arm64', 'anvil'],
      ['darwin', 'x64', '@foundry-rs/anvil-darwin-amd64', 'anvil'],
      ['darwin', 'arm64', '@foundry-rs/anvil-darwin-arm64', 'anvil'],
      ['win32', 'x64', '@foundry-rs/anvil-win32-amd64', 'anvil.exe'],
      ['freebsd', 'x64', undefined, 'anvil'],
      ['linux', 'riscv64', undefined, 'anvil'],
    ] as const;
    for (const [platform, arch, name, file] of machines) {
      assert.equal(enginePackage({ platform, arch }), name, `${platform}-${arch}`);
      assert.equal(executableName(platform), file);
    }
  });

  it("reads the PATH in the platform's format", () => {
    assert.deepEqual(executablesOnPath('C:\\Foundry\\bin;;D:\\tools', 'win32'), [
      'C:\\Foundry\\bin\\anvil.exe',
      'D:\\tools\\anvil.exe',
    ]);
    assert.deepEqual(executablesOnPath('/usr/bin::/opt/foundry', 'darwin'), [
      '/usr/bin/anvil',
      '/opt/foundry/anvil',
    ]);
  });
});
