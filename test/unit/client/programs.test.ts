import assert from 'node:assert/strict';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram, runProgram } from '../../../server/client/programs';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

describe('a program of the machine', () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await makeTemporaryDirectory());
  });
  after(() => removeDirectory(folder));
  const run = (code: string, signal?: AbortSignal) =>
    runProgram(
      {
        program: process.execPath,
        folder,
        args: ['-e', code],
        env: { WORD: 'seven' },
        ...(signal && { signal }),
      },
      join(folder, 'output'),
      1_000_000,
    );

  it('is found on the search path', async () => {
    const own = dirname(process.execPath);
    assert.equal(await findProgram('node', `:/nowhere:${own}`), join(own, 'node'));
    assert.equal(await findProgram('node', ':/nowhere'), undefined);
  });

  it('runs in its folder, and writes to a file', async () => {
    const code =
      'console.log(process.env.WORD, process.cwd()); console.error("no"); process.exit(3)';
    assert.deepEqual(await run(code), { code: 3, errors: 'no\n', isTooLarge: false });
    assert.equal(await readFile(join(folder, 'output'), 'utf8'), `seven ${folder}\n`);
  });

  it('is ended where it writes too much', async () => {
    const end = await run('setInterval(() => console.log("x".repeat(100_000)), 1)');
    assert.deepEqual([end.code, end.isTooLarge], [-1, true]);
  });

  it('is ended by a signal, with its reason', async () => {
    const controller = new AbortController();
    const running = run('setInterval(() => {}, 1_000)', controller.signal);
    controller.abort(new Error('stopped'));
    await assert.rejects(running, /^Error: stopped$/);
    await assert.rejects(run('', controller.signal), /^Error: stopped$/);
  });
});
