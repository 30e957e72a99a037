import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('simultaneous commands on a data directory', function () {
  this.timeout(60_000);
  let home: string;
  let dataDir: string;
  before(async () => {
    [home, dataDir] = await Promise.all([makeTemporaryDirectory(), makeTemporaryDirectory()]);
  });
  after(async () => {
    for (const folder of [home, dataDir]) await removeDirectory(folder);
  });

  it('end with the reason where a process holds it that never answers, although each changes the directory', async () => {
    const holder = { pid: process.pid, url: null, instance: 'hangs', adminToken: 't' };
    await writeFile(join(dataDir, 'service.json'), JSON.stringify(holder));
    const cli = new CommandLine(home, { FORKLENS_DATA_DIR: dataDir });
    const ends = await Promise.all([1, 2, 3].map(() => cli.run(['project', 'list'])));
    for (const { code, stderr } of ends) {
      assert.equal(code, 3, stderr);
      assert.equal(
        stderr,
        `error: the data directory ${dataDir} is in use by a process that accepts no requests; run forklens doctor for the details`,
      );
    }
  });
});
