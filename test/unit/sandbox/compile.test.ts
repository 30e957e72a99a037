import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSandbox } from '../../../server/sandbox/compile.mjs';

describe('compiling the sandbox', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forklens-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes the file once, and again only if it was damaged', async () => {
    const outfile = join(folder, 'new', 'contracts.json');
    await compileSandbox(outfile);
    const text = await readFile(outfile, 'utf8');
    const { mtimeMs } = await stat(outfile);
    await compileSandbox(outfile);
    assert.equal((await stat(outfile)).mtimeMs, mtimeMs);
    await writeFile(outfile, text.slice(0, 100));
    await compileSandbox(outfile);
    assert.equal(await readFile(outfile, 'utf8'), text);
    assert.deepEqual(await readdir(join(folder, 'new')), ['contracts.json']);
  });

  it("removes the compiler's handlers", () => {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      const sources = process.listeners(event as 'uncaughtException').map(String);
      assert.ok(!sources.some((source) => /ExitStatus|abort\(/.test(source)), event);
    }
  });
});
