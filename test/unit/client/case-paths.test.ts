import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { caseFileOf, newCaseFileOf } from '../../../server/client/case-paths';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

describe('the case files of agents', () => {
  let home: string;
  let open: string;
  let other: string;

  before(async () => {
    home = await realpath(await makeTemporaryDirectory());
    open = join(home, 'open');
    other = join(home, 'other');
    await mkdir(join(open, 'cases'), { recursive: true });
    await mkdir(other);
    await writeFile(join(open, 'one.forklens'), '');
    await writeFile(join(other, 'secret.forklens'), '');
    await writeFile(join(other, 'key'), '');
    await symlink(other, join(open, 'out'));
    await symlink(join(other, 'key'), join(open, 'key.forklens'));
  });
  after(() => removeDirectory(home));

  const refused = (given: string, folders: readonly string[], accepted: string) =>
    assert.rejects(caseFileOf(given, folders), {
      kind: 'invalidField',
      message: `file is ${JSON.stringify(given)}; accepted: ${accepted}`,
    });

  it('are found in the folders of the workspace, whether they exist or not', async () => {
    assert.equal(await caseFileOf('one.forklens', [open, other]), join(open, 'one.forklens'));
    assert.equal(await caseFileOf('cases/new.forklens', [open]), join(open, 'cases/new.forklens'));
    const elsewhere = join(other, 'secret.forklens');
    assert.equal(await caseFileOf(elsewhere, [open, other]), elsewhere);
  });

  it('are refused by name outside of them, also behind links', async () => {
    const accepted = 'a path that ends with .forklens in a folder that the tools work in';
    for (const given of [
      join(other, 'secret.forklens'),
      '../other/secret.forklens',
      'out/secret.forklens',
      'out/new.forklens',
      'key.forklens',
      'missing/new.forklens',
      'one.json',
      '/etc/passwd',
      'one\0.forklens',
    ]) {
      await refused(given, [open], accepted);
    }
  });

  it('are not replaced', async () => {
    const given = 'one.forklens';
    await assert.rejects(newCaseFileOf(given, [open]), {
      message: 'file is "one.forklens", which exists; accepted: the path of a new file',
    });
    assert.equal(await newCaseFileOf('two.forklens', [open]), join(open, 'two.forklens'));
  });

  it('are refused where no folder is open', async () => {
    await refused('one.forklens', [], 'no file, since no folder is open');
  });
});
