import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '../../server/composition/startup/version';

const ROOT = resolve(__dirname, '../..');

describe('npm run cli', function () {
  this.timeout(60_000);
  const run = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'cli', '--', ...args], {
      cwd: ROOT,
    });
    return stdout;
  };
  const built = async (): Promise<number> => (await stat(join(ROOT, 'dist/cli.js'))).mtimeMs;

  it('prints the output of the command, and builds only if the sources are newer', async () => {
    assert.equal(await run('--version'), `${VERSION}\n`);
    const before = await built();
    const story = JSON.parse(await run('sandbox', 'list', '--json')) as unknown[];
    assert.ok(story.length > 10);
    assert.equal(await built(), before);
  });
});
