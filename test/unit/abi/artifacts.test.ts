import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtifactFolders } from '../../../server/abi/artifact-folders';
import { Artifacts } from '../../../server/abi/artifacts';
import type { Hex } from '../../../server/api/primitives';
import { account, network } from '../../support/analysis';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const artifact = (contractName: string, code: Hex, creation: Hex = `0x60${code.slice(2)}`) => ({
  contractName,
  abi: [{ type: 'function', name: `of${contractName}`, inputs: [], outputs: [] }],
  bytecode: creation,
  deployedBytecode: code,
});

describe('workspace artifacts', () => {
  let folder: string;
  let now: number;
  let warnings: [object, string][];
  let artifacts: Artifacts;
  const write = async (name: string, content: unknown) => {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const nameOf = async (code: Hex) => {
    now += 10_000;
    const found = await artifacts.find(network(), [{ address: account(1), code }]);
    return found.get(account(1))?.name;
  };

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    now = 0;
    warnings = [];
    const log = { warn: (fields: object, message: string) => warnings.push([fields, message]) };
    artifacts = new Artifacts(
      new ArtifactFolders([folder, join(folder, 'missing')], { log, now: () => now }),
    );
  });
  afterEach(() => removeDirectory(folder));

  it('are recognised by their deployed code, in folders of any depth', async () => {
    await write('a/b/A.sol/A.json', artifact('A', '0x600155'));
    await write('B.json', artifact('B', '0x600255'));
    assert.equal(await nameOf('0x600155'), 'A');
    assert.equal(await nameOf('0x600255'), 'B');
    assert.equal(await nameOf('0x600355'), undefined);
    assert.equal((await artifacts.candidates()).length, 2);
  });

  it('are read again where they changed, and forgotten where they are gone', async () => {
    const path = await write('A.json', artifact('A', '0x600155'));
    assert.equal(await nameOf('0x600155'), 'A');
    await write('A.json', artifact('Renamed', '0x600155'));
    await utimes(path, 1000, 1000);
    assert.equal(await nameOf('0x600155'), 'Renamed');
    await rm(path);
    assert.equal(await nameOf('0x600155'), undefined);
  });

  it('are looked at once in a while only', async () => {
    assert.equal((await artifacts.candidates()).length, 0);
    await write('A.json', artifact('A', '0x600155'));
    now += 100;
    assert.equal((await artifacts.candidates()).length, 0);
    now += 10_000;
    assert.equal((await artifacts.candidates()).length, 1);
  });

  it('leave out bad files with a line in the log, and what is no artifact without one', async () => {
    const bad = await write('Bad.json', '{ "abi": ');
    await write('package.json', { name: 'x' });
    await write('A.dbg.json', '{');
    await write('build-info/huge.json', '{');
    await write('A.json', artifact('A', '0x600155'));
    assert.equal(await nameOf('0x600155'), 'A');
    assert.deepEqual(warnings, [[{ path: bad, why: 'not readable as JSON' }, 'artifact skipped']]);
    assert.equal(await nameOf('0x600155'), 'A');
    assert.equal(warnings.length, 1);
  });

  it('tell where the constructor arguments begin: behind the longest creation code that fits', async () => {
    await write('A.json', artifact('A', '0x600155', '0x6060'));
    await write('B.json', artifact('B', '0x600255', '0x606070'));
    now += 10_000;
    const found = await artifacts.findCreation('0x60607000');
    assert.equal(found?.name, 'B');
    assert.equal(found.argumentsOffset, 3);
    assert.equal((await artifacts.findCreation('0x606080'))?.name, 'A');
    assert.equal(await artifacts.findCreation('0x61'), undefined);
  });
});
