import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');

/** A small repository of its own: two sources, and a test of each. */
describe('npm test -- --changed', () => {
  let folder: string;

  const write = (file: string, text: string): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const git = (...args: string[]): void => {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', [...author, '-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  const listed = (...args: string[]): string[] =>
    execFileSync(process.execPath, ['--import', 'tsx', 'test/run.mjs', '--changed', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\n')
      .filter((line) => line !== '');

  before(async () => {
    folder = await makeTemporaryDirectory();
    mkdirSync(join(folder, 'test/integration'), { recursive: true });
    for (const path of [
      'test/run.mjs',
      'test/support/run',
      'test/support/session-processes.mjs',
      'server/api/nearest.ts',
    ]) {
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    write('.gitignore', 'node_modules\n');
    for (const name of ['one', 'two']) {
      write(`server/${name}.ts`, `export const ${name} = 1;\n`);
      write(`test/unit/${name}.test.ts`, `import '../../server/${name}';\n`);
    }
    git('init', '-b', 'main');
    git('add', '.');
    git('commit', '-m', 'Begin');
    write('server/two.ts', 'export const two = 2;\n');
    git('commit', '-am', 'Change two');
  });
  after(() => removeDirectory(folder));

  it('lists the tests of the last commit on an unchanged main', () => {
    assert.deepEqual(listed('--list'), ['test/unit/two.test.ts']);
  });

  it('lists the tests of what is changed or new, and not committed', () => {
    write('server/one.ts', 'export const one = 2;\n');
    write('test/unit/new.test.ts', '');
    assert.deepEqual(listed('--files'), ['server/one.ts', 'test/unit/new.test.ts']);
    assert.deepEqual(listed('--list'), ['test/unit/new.test.ts', 'test/unit/one.test.ts']);
  });

  it('lists the tests of a whole branch', () => {
    git('checkout', '-b', 'work');
    git('add', '.');
    git('commit', '-m', 'Change one');
    write('README.md', '');
    git('add', '.');
    git('commit', '-m', 'Add a page');
    assert.deepEqual(listed('--list'), ['test/unit/new.test.ts', 'test/unit/one.test.ts']);
    assert.deepEqual(listed('--files'), ['README.md', 'server/one.ts', 'test/unit/new.test.ts']);
  });

  it('lists what differs from a commit that is named', () => {
    assert.deepEqual(listed('--files', '--base', 'HEAD~1'), ['README.md']);
    assert.deepEqual(listed('--list', '--base', 'HEAD~1'), []);
  });
});
