import assert from 'node:assert/strict';
import { once, EventEmitter } from 'node:events';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reloadWhenBuilt } from '../../../extension/reload-when-built';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

describe('a window of npm run dev', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  it('reloads after each build, the first one too', async () => {
    const stamp = join(folder, 'extension-built');
    const builds = new EventEmitter();
    const watched = reloadWhenBuilt(stamp, () => builds.emit('reload'), 20);
    const held = setTimeout(() => assert.fail('no reload'), 20_000); // the watch keeps no process
    const first = once(builds, 'reload');
    writeFileSync(stamp, '');
    await first;
    const second = once(builds, 'reload');
    utimesSync(stamp, new Date(), new Date(Date.now() + 5_000));
    await second;
    clearTimeout(held);
    watched.dispose();
  });
});
