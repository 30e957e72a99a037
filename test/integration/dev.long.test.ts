import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const COPIED = ['server', 'extension', 'media', 'dev.mjs', 'esbuild.mjs'];

describe('npm run dev', function () {
  this.timeout(600_000); // nine builds of all bundles
  let folder: string;
  let dev: ChildProcess;
  let ended: Promise<unknown>;
  const lines: string[] = [];

  before(async () => {
    folder = await makeTemporaryDirectory();
    for (const name of [...COPIED, 'package.json', 'package.nls.json', 'tsconfig.json']) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    }
    // Compiled contracts, which no test here changes.
    for (const part of ['contracts', 'sources', 'ast', 'plan']) {
      const name = `sandbox-${part}.json`;
      await cp(join(ROOT, 'dist', name), join(folder, 'dist', name));
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const options = ['--port', '0', '--data-dir', join(folder, 'data')];
    dev = spawn(process.execPath, ['dev.mjs', ...options], { cwd: folder, stdio: 'pipe' });
    ended = once(dev, 'exit');
    for (const output of [dev.stdout!, dev.stderr!]) {
      createInterface(output).on('line', (line) => {
        lines.push(line);
        dev.emit('line');
      });
    }
  });
  after(async () => {
    if (dev.exitCode === null) dev.kill('SIGKILL');
    await ended;
    await removeDirectory(folder);
  });

  /** Waits until so many lines match. @returns them */
  async function seen(pattern: RegExp, count: number): Promise<string[]> {
    for (;;) {
      const found = lines.filter((line) => pattern.test(line));
      if (found.length >= count) return found;
      if (dev.exitCode !== null) throw new Error(`it ended:\n${lines.join('\n')}`);
      await Promise.race([once(dev, 'line'), ended]);
    }
  }

  const pidOf = (ready: string): number => (JSON.parse(ready) as { pid: number }).pid;
  const title = async (ready: string): Promise<string> => {
    const { url } = JSON.parse(ready) as { url: string };
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      info: { title: string };
    };
    return document.info.title;
  };

  async function edit(file: string, from: string, to: string): Promise<void> {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    assert.ok(text.includes(from));
    await writeFile(path, text.replace(from, to));
  }

  /** @returns when each built file was written, in milliseconds of the Unix time */
  async function builtFiles(): Promise<Record<string, number>> {
    const dist = join(folder, 'dist');
    const names = await readdir(dist, { recursive: true });
    const times = names.map(
      async (name) => [name, (await stat(join(dist, name))).mtimeMs] as const,
    );
    return Object.fromEntries(await Promise.all(times));
  }

  it('runs the service, and once more after a change of it', async () => {
    const [first] = await seen(/"event":"ready"/, 1);
    assert.equal(await title(first!), 'Forklens');
    await seen(/^dev: built extension/, 1);
    await edit('server/http/openapi.ts', "title: 'Forklens'", "title: 'Changed'");
    const [, second] = await seen(/"event":"ready"/, 2);
    assert.equal(await title(second!), 'Changed');
    assert.throws(() => process.kill(pidOf(first!), 0), { code: 'ESRCH' });
    await seen(/^dev: built extension/, 2);
  });

  it('builds the extension after a change of it, and leaves the service alone', async () => {
    const starts = lines.filter((line) => line.includes('"event":"ready"')).length;
    await edit('extension/extension.ts', 'export', '/* changed */ export');
    await seen(/^dev: built extension/, 3);
    await readFile(join(folder, 'dist/extension-built'));
    assert.equal(lines.filter((line) => line.includes('"event":"ready"')).length, starts);
  });

  it('goes on with the service after a fault in the sources', async () => {
    const running = (await seen(/"event":"ready"/, 2)).at(-1)!;
    await edit('server/http/openapi.ts', "title: 'Changed'", "title: 'Chan");
    await seen(/^dev: server has faults; waiting for a change/, 1);
    assert.equal(await title(running), 'Changed');
    await edit('server/http/openapi.ts', "title: 'Chan", "title: 'Mended'");
    const third = (await seen(/"event":"ready"/, 3)).at(-1)!;
    assert.equal(await title(third), 'Mended');
    await seen(/^dev: built extension/, 5);
  });

  it('ends during a build, with the build and the service', async () => {
    const running = (await seen(/"event":"ready"/, 3)).at(-1)!;
    const builds = lines.filter((line) => line.startsWith('dev: building')).length;
    await edit('extension/extension.ts', '/* changed */ export', '/* again */ export');
    await seen(/^dev: building/, builds + 1);
    const closed = once(dev, 'close'); // when nothing that it started can write to its outputs
    dev.kill('SIGTERM');
    await ended;
    const left = await builtFiles();
    assert.equal(dev.exitCode, 0);
    assert.throws(() => process.kill(pidOf(running), 0), { code: 'ESRCH' });
    await closed;
    assert.deepEqual(await builtFiles(), left);
    assert.deepEqual(
      Object.keys(left).filter((file) => file.includes('unfinished')),
      [],
    );
  });
});
