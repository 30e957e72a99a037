import assert from 'node:assert/strict';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCached } from '../../../../server/composition/startup/code-cache';
import { eventually } from '../../../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NEVER = 2 ** 31 - 1;

describe('the cached code of a bundle', () => {
  const told = globalThis as { told?: unknown };
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    file = join(folder, 'bundle.js');
    await write('one');
  });
  afterEach(() => removeDirectory(folder));

  const write = (word: string): Promise<void> =>
    writeFile(file, `globalThis.told = ['${word}', __filename, typeof require('node:fs').open];`);
  const cacheFiles = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith('.cache'));
  async function runAndKeep(): Promise<string> {
    assert.deepEqual(runCached(file, 0), { isCompiled: false });
    const [cache] = await eventually(async () => {
      const files = await cacheFiles();
      assert.notEqual(files.length, 0);
      return files;
    });
    return join(folder, cache!);
  }

  it('is used by the next run, with the same result', async () => {
    await runAndKeep();
    assert.deepEqual(told.told, ['one', file, 'function']);
    told.told = undefined;
    assert.deepEqual(runCached(file, NEVER), { isCompiled: true });
    assert.deepEqual(told.told, ['one', file, 'function']);
  });

  it('is not used for a different source of the same length', async () => {
    await runAndKeep();
    await write('two');
    assert.deepEqual(runCached(file, NEVER), { isCompiled: false });
    assert.deepEqual(told.told, ['two', file, 'function']);
  });

  it('is not used if the file is damaged or truncated', async () => {
    const cache = await runAndKeep();
    const content = await readFile(cache);
    const damaged = Buffer.from(content);
    damaged[content.length - 20]! ^= 1;
    for (const one of [damaged, content.subarray(0, 100), Buffer.alloc(0)]) {
      await writeFile(cache, one);
      assert.deepEqual(runCached(file, NEVER), { isCompiled: false });
      assert.deepEqual(told.told, ['one', file, 'function']);
    }
  });

  it('is neither written nor used if the variable disables it', async () => {
    await runAndKeep();
    process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
    try {
      assert.deepEqual(runCached(file, NEVER), { isCompiled: false });
    } finally {
      delete process.env['NODE_DISABLE_COMPILE_CACHE'];
    }
  });

  it('is skipped if the folder is not writable', async function () {
    if (process.getuid?.() === 0) this.skip(); // root can write everywhere
    await chmod(folder, 0o555);
    assert.deepEqual(runCached(file, 0), { isCompiled: false });
    await delay(0); // after the timer of the write
    assert.deepEqual(await readdir(folder), ['bundle.js']);
    await chmod(folder, 0o755);
  });
});
