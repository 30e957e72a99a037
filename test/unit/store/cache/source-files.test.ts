import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceFiles } from '../../../../server/store/cache/source-files';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

describe('sources on disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  const files = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.gz')).sort();

  it('are what was written, in another process as well', async () => {
    const kept = { expires: 5, value: { text: 'é '.repeat(1_000) } };
    await new SourceFiles(folder).write('sourcify/1/0xab-cd', kept);
    assert.deepEqual(await files(), [join('sourcify', '1', '0xab-cd.json.gz')]);
    assert.deepEqual(await new SourceFiles(folder).read('sourcify/1/0xab-cd'), kept);
    assert.equal(await new SourceFiles(folder).read('sourcify/2/0xab-cd'), undefined);
  });

  it('that are damaged or belong to another contract are removed', async () => {
    const store = new SourceFiles(folder);
    const path = (key: string) => join(folder, `${key}.json.gz`);
    await store.write('a', { expires: null, value: 'A' });
    await store.write('b', { expires: null, value: 'B' });
    await writeFile(path('b'), await readFile(path('a')));
    assert.equal(await store.read('b'), undefined);
    await writeFile(path('a'), (await readFile(path('a'))).subarray(0, 20));
    assert.equal(await store.read('a'), undefined);
    assert.deepEqual(await files(), []);
  });

  it('are bounded: those that were not used for longest are deleted', async () => {
    const store = new SourceFiles(folder, 3_000);
    const noise = (seed: number) =>
      Array.from({ length: 700 }, (_, index) => ((index * 7_919 + seed) ** 2 % 9_973).toString(36));
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await store.write(key, { expires: null, value: noise(key.charCodeAt(0)) });
    }
    const left = await files();
    assert.ok(left.length < 5 && left.includes('e.json.gz'), left.join());
  });

  it('that cannot be written are none', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = new SourceFiles(join(folder, 'file'));
    await store.write('a', { expires: null, value: 1 });
    assert.equal(await store.read('a'), undefined);
  });
});
