import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSandbox } from '../../../../server/chains/sandbox/compile.mjs';

describe('compiling the sandbox', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forklens-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes its files once, and again only if one was damaged', async () => {
    const made = join(folder, 'new');
    await compileSandbox(made);
    const names = (await readdir(made)).sort();
    assert.deepEqual(names, ['sandbox-ast.json', 'sandbox-contracts.json', 'sandbox-sources.json']);
    const contracts = join(made, 'sandbox-contracts.json');
    const { mtimeMs } = await stat(contracts);
    await compileSandbox(made);
    assert.equal((await stat(contracts)).mtimeMs, mtimeMs);
    const sources = join(made, 'sandbox-sources.json');
    const text = await readFile(sources, 'utf8');
    await writeFile(sources, text.slice(0, 100));
    await compileSandbox(made);
    assert.equal(await readFile(sources, 'utf8'), text);
    assert.deepEqual((await readdir(made)).sort(), names);
  });

  it("removes the compiler's handlers", () => {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      const sources = process.listeners(event as 'uncaughtException').map(String);
      assert.ok(!sources.some((source) => /ExitStatus|abort\(/.test(source)), event);
    }
  });
});
