import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findHardhat } from '../../../../extension/hardhat-tests/find-hardhat';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const NODE = dirname(process.execPath);

describe('the Hardhat of a project', () => {
  let home: string;
  let project: string;
  before(async () => {
    home = await makeTemporaryDirectory();
    project = join(home, 'packages/contracts');
    await mkdir(project, { recursive: true });
    await mkdir(join(home, 'node_modules/hardhat'), { recursive: true });
  });
  after(() => removeDirectory(home));
  const install = (manifest: object): Promise<void> =>
    writeFile(join(home, 'node_modules/hardhat/package.json'), JSON.stringify(manifest));

  it('is that of the nearest node_modules, with its script', async () => {
    await install({ version: '2.26.5', bin: { hardhat: 'internal/cli/bootstrap.js' } });
    assert.deepEqual(await findHardhat(project, NODE), {
      node: process.execPath,
      script: join(home, 'node_modules/hardhat/internal/cli/bootstrap.js'),
      version: 2,
    });
    await install({ version: '3.18.0', bin: './dist/src/cli.js' });
    const { script, version } = await findHardhat(project, NODE);
    assert.deepEqual([script, version], [join(home, 'node_modules/hardhat/dist/src/cli.js'), 3]);
  });

  it('is refused where its version is not known', async () => {
    await install({ version: '4.0.0', bin: 'cli.js' });
    await assert.rejects(findHardhat(project, NODE), {
      message: 'Tests of Hardhat 4.0.0 are not known: Hardhat 2 and 3 are.',
    });
    await install({ version: 2 });
    await assert.rejects(findHardhat(project, NODE), /version/);
  });
});
