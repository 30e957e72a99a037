import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const HOOK = path.resolve(__dirname, '../../.githooks/commit-msg');

describe('the check of commit messages', () => {
  let folder: string;
  before(async () => {
    folder = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(folder));

  /** @returns the refusal, or an empty text */
  function check(message: string): string {
    const file = path.join(folder, 'message');
    writeFileSync(file, message);
    const { status, stderr } = spawnSync('sh', [HOOK, file], { encoding: 'utf8' });
    assert.equal(status, stderr === '' ? 0 : 1);
    return stderr;
  }

  it('accepts a part and what it does now, and what git writes itself', () => {
    for (const subject of [
      'forks: pin the fork point by hash',
      'cli, agents: print whole addresses',
      `forks: ${'x'.repeat(65)}`,
      "Merge branch 'forks'",
      'Revert "forks: pin the fork point by hash"',
      'fixup! forks: pin the fork point by hash',
    ]) {
      assert.equal(check(`${subject}\n\nWhy.\n`), '', subject);
    }
    assert.equal(check('# a comment\n\nforks: pin the fork point by hash\n'), '');
  });

  it('refuses other subjects with the reason', () => {
    const accepted = 'accepted: "forks: pin the fork point by hash", at most 72 characters\n';
    const refused = (reason: string) => `the subject of the commit ${reason}; ${accepted}`;
    assert.equal(check(`forks: ${'x'.repeat(66)}`), refused('has 73 characters'));
    assert.equal(check('Pin the fork point by hash'), refused('names no part'));
    assert.equal(check('forks: '), refused('names no part'));
    assert.equal(check('forks: pin the fork point.'), refused('ends with a full stop'));
    assert.equal(check('\n# nothing\n'), refused('names no part'));
  });
});
