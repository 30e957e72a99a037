import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const RUN = ['--import', 'tsx', 'test/run.mjs'];

/** A project whose build ends at once or never, with one quick and one long test file. */
describe('npm test', function () {
  this.timeout(120_000);
  let folder: string;

  const write = (file: string, text: string): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const test = (title: string, body = ''): string => `it('${title}', () => {${body}});\n`;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    const parts = ['run.mjs', 'support/run', 'support/session-processes.mjs'];
    for (const path of [...parts, 'support/results-reporter.ts', 'support/programs.ts']) {
      cpSync(join(ROOT, 'test', path), join(folder, 'test', path), { recursive: true });
    }
    cpSync(join(ROOT, 'server/api/nearest.ts'), join(folder, 'server/api/nearest.ts'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    write('esbuild.mjs', '');
    write('.mocharc.json', '{ "node-option": ["import=tsx"] }');
    write('test/unit/quick.test.ts', test('is quick'));
    write('test/unit/slow.long.test.ts', test('is slow', 'throw new Error("too slow")'));
  });
  afterEach(() => removeDirectory(folder));

  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [...RUN, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CI: '', ...env },
    });

  it('runs the long files of a suite that is named, and says how to run a failing test alone', () => {
    const { status, stdout } = run(['unit']);
    assert.equal(status, 1);
    assert.match(stdout, /Alone: npx mocha test\/unit\/slow\.long\.test\.ts --fgrep 'is slow'\n/);
    assert.equal(stdout.trim().split('\n').at(-1), '1 passed, 1 failed');
  });

  it('runs the quick files of all suites without a name', () => {
    const suites = ['integration', 'fidelity', 'ui-components', 'clients', 'faults', 'cluster'];
    for (const suite of [...suites, 'fuzz']) write(`test/${suite}/one.test.ts`, test(suite));
    write('test/support/vscode-host/install.ts', '');
    const { status, stdout } = run(['--no-host']);
    assert.equal(stdout.trim().split('\n').at(-1), '8 passed, 0 failed');
    assert.match(stdout, /\nsuite ui: the VS Code host is not installed with --no-host\n/);
    assert.equal(status, 0);
  });

  it('names what is left out, which is a failure where CI decides', () => {
    write(
      'test/faults/proxy.test.ts',
      `import { describeWith } from '../support/programs';
       describeWith(['haproxy'], 'a proxy', () => { it('runs', () => {}); });
       it('another test', () => {});`,
    );
    // No program is there, also where Debian has some of them.
    const source = join(folder, 'test/support/programs.ts');
    spawnSync('sed', ['-i', "s#'/usr/sbin'#'/none'#g", source]);
    const env = { PATH: '/none' };
    const local = run(['faults'], env);
    const named = /\nwithout haproxy: a proxy\nInstall: apt-get install .* haproxy\n/;
    assert.match(local.stdout, named);
    assert.equal(local.stdout.trim().split('\n').at(-1), '1 passed, 0 failed, 1 skipped');
    assert.equal(local.status, 0);
    const deciding = run(['faults'], { ...env, CI: 'true' });
    assert.match(deciding.stdout, named);
    assert.equal(deciding.status, 1);
  });

  it('refuses an unknown suite before it does anything', () => {
    const { status, stdout, stderr } = run(['unti']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^npm test: unknown suite unti\. Did you mean unit\?/);
  });

  it('ends its processes when it is interrupted, with the exit code 130', async function () {
    if (process.platform !== 'linux') this.skip();
    write(
      'esbuild.mjs',
      `import { spawn } from 'node:child_process';
       console.log(spawn('sleep', ['600']).pid);
       process.on('SIGINT', () => {});`,
    );
    const child = spawn(process.execPath, [...RUN, 'unit'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [pid] = (await once(createInterface(child.stdout), 'line')) as [string];
    child.kill('SIGINT');
    assert.deepEqual(await exited, [130, null]);
    // An ended process counts as running until the system's first process has noticed its end.
    await eventually(() => {
      assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
    });
  });
});
