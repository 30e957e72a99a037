import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reloadWhenBuilt } from '../../../../extension/editor/reload-when-built';
import { eventually } from '../../../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

describe('a window of npm run dev', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  it('reloads after each build, and not after its end', async () => {
    const stamp = join(folder, 'extension-built');
    let [first, second] = [0, 0];
    /** Builds until a window has seen it: a build before its watch has begun is not seen. */
    const buildUntil = (isSeen: () => boolean): Promise<void> =>
      eventually(() => {
        if (!isSeen()) writeFileSync(stamp, '');
        assert.ok(isSeen());
      });
    const watched = reloadWhenBuilt(
      stamp,
      () => {
        first++;
      },
      10,
    );
    await buildUntil(() => first > 0);
    await buildUntil(() => first > 1);
    watched.dispose();
    const before = first;
    const other = reloadWhenBuilt(
      stamp,
      () => {
        second++;
      },
      10,
    );
    await buildUntil(() => second > 0);
    other.dispose();
    assert.equal(first, before);
  });
});
