import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itWith } from '../support/programs';
import { DEPLOY, SYSTEM_ENV } from '../support/reverse-proxy';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { env: SYSTEM_ENV, encoding: 'utf8' });

describe('the files of server/deploy', () => {
  let folder: string;
  before(async () => {
    folder = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(folder));

  it('have a unit that systemd accepts without a warning', async function () {
    if (run('systemd-analyze', '--version').status !== 0) this.skip();
    const unit = await readFile(join(DEPLOY, 'forklens.service'), 'utf8');
    const file = join(folder, 'forklens.service');
    // The service is not installed here; systemd wants to see its program.
    const known = unit.replace(
      'ExecStart=/usr/bin/forklens-server',
      `ExecStart=${process.execPath}`,
    );
    assert.notEqual(known, unit);
    await writeFile(file, known);
    const { status, stderr } = run('systemd-analyze', 'verify', '--man=no', file);
    assert.deepEqual([status, stderr], [0, '']);
  });

  itWith(['haproxy'], 'have a configuration that HAProxy accepts as it is', () => {
    const { status, stderr } = run('haproxy', '-c', '-f', join(DEPLOY, 'haproxy.cfg'));
    assert.equal(status, 0, stderr);
    const warnings = stderr.split('\n').filter((line) => line.includes('[WARNING]'));
    assert.ok(
      warnings.every((line) => line.includes('could not resolve')),
      stderr,
    );
  });

  itWith(['nginx'], 'have a configuration that nginx accepts', async () => {
    const text = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8');
    const file = join(folder, 'nginx.conf');
    // nginx wants to know the addresses of the nodes.
    await writeFile(file, text.replace(/node-[12]:8787/g, '127.0.0.1:8787'));
    const own = `error_log stderr; pid ${join(folder, 'pid')};`;
    const { status, stderr } = run('nginx', '-t', '-p', folder, '-c', file, '-g', own);
    assert.equal(status, 0, stderr);
    assert.ok(!stderr.includes('[warn]'), stderr);
  });
});
