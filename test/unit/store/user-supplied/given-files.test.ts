import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GivenAbiFiles } from '../../../../server/store/user-supplied/abi-files';
import { GivenAbis } from '../../../../server/store/user-supplied/given-abis';
import { GivenLabels } from '../../../../server/store/user-supplied/given-labels';
import { LabelFiles } from '../../../../server/store/user-supplied/label-files';
import type { Address } from '../../../../server/api/primitives';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const ADDRESS: Address = `0x${'1'.repeat(40)}`;
const OTHER: Address = `0x${'2'.repeat(40)}`;
const DAMAGES = ['', '[{"address":1}]', '{'];

describe('damaged files of users', () => {
  let folder: string;
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message) };
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    warnings.length = 0;
  });
  afterEach(() => removeDirectory(folder));

  for (const damage of DAMAGES) {
    it(`restores labels from their copy: ${JSON.stringify(damage)}`, async () => {
      const path = join(folder, 'u.json');
      const labels = new GivenLabels(new LabelFiles(folder, log), log);
      await labels.put({ user: 'u', address: ADDRESS }, 'treasury');
      await labels.put({ user: 'u', address: OTHER }, 'vault');
      await writeFile(path, damage);
      const reopened = new GivenLabels(new LabelFiles(folder, log), log);
      await reopened.put({ user: 'u', chain: 'eth', address: OTHER }, 'third');
      const names = (await new GivenLabels(new LabelFiles(folder, log), log).list('u')).map(
        ({ name }) => name,
      );
      assert.deepEqual(names, ['treasury', 'vault', 'third']);
      const aside = (await readdir(folder)).find((name) => name.startsWith('u.json.corrupt-'));
      assert.equal(await readFile(join(folder, aside!), 'utf8'), damage);
      assert.equal(warnings.length, 1);
    });

    it(`keeps damaged labels without a copy: ${JSON.stringify(damage)}`, async () => {
      const path = join(folder, 'u.json');
      await writeFile(path, damage);
      const labels = new GivenLabels(new LabelFiles(folder, log), log);
      const refused = { kind: 'storageDamaged', code: 50001 };
      await assert.rejects(labels.list('u'), refused);
      await assert.rejects(labels.put({ user: 'u', address: ADDRESS }, 'x'), refused);
      await assert.rejects(labels.delete({ user: 'u', address: ADDRESS }), refused);
      assert.deepEqual(await labels.labelsOf('u', ['eth']), {});
      assert.deepEqual(warnings, ['the labels of a user are ignored']);
      assert.equal(await readFile(path, 'utf8'), damage);
      await rm(path);
      assert.deepEqual(await labels.list('u'), [], 'it is read again');
    });
  }

  it('restores labels if a folder is in the place of their file', async () => {
    const path = join(folder, 'u.json');
    const labels = new GivenLabels(new LabelFiles(folder, log), log);
    await labels.put({ user: 'u', address: ADDRESS }, 'treasury');
    await rm(path);
    await mkdir(path);
    const [label] = await new GivenLabels(new LabelFiles(folder, log), log).list('u');
    assert.equal(label?.name, 'treasury');
  });

  it('restores an ABI from its copy, and reports one without a copy', async () => {
    const place = { user: 'u', chain: 'eth', address: ADDRESS };
    const path = join(folder, 'u', 'eth', `${ADDRESS}.json`);
    const abi = [{ type: 'function' as const, name: 'f', inputs: [], outputs: [] }];
    await new GivenAbis(new GivenAbiFiles(folder, log), log).put(place, 'Vault', abi);
    await writeFile(path, '{');
    const abis = new GivenAbis(new GivenAbiFiles(folder, log), log);
    assert.equal((await abis.get(place)).contractName, 'Vault');
    assert.equal(warnings.length, 1);

    await writeFile(path, '{');
    await rm(join(folder, 'u', 'eth', 'generations'), { recursive: true });
    const damaged = new GivenAbis(new GivenAbiFiles(folder, log), log);
    await assert.rejects(damaged.get(place), { kind: 'storageDamaged' });
    await assert.rejects(damaged.delete(place), { kind: 'storageDamaged' });
    assert.deepEqual(await damaged.givenBy('u', ['eth'], [ADDRESS]), new Map());
    await damaged.put(place, 'Other', abi);
    assert.equal((await damaged.get(place)).contractName, 'Other');
    const aside = (await readdir(join(folder, 'u', 'eth'))).filter((one) =>
      one.includes('corrupt'),
    );
    assert.equal(aside.length, 2);

    await damaged.delete(place);
    await assert.rejects(new GivenAbis(new GivenAbiFiles(folder, log), log).get(place), {
      kind: 'abiNotFound',
    });
  });

  it('does not accept the ABI of another address', async () => {
    const [place, other] = [ADDRESS, OTHER].map((address) => ({
      user: 'u',
      chain: 'eth',
      address,
    }));
    const abi = [{ type: 'function' as const, name: 'f', inputs: [], outputs: [] }];
    await new GivenAbis(new GivenAbiFiles(folder, log), log).put(place!, 'Vault', abi);
    await new GivenAbis(new GivenAbiFiles(folder, log), log).put(other!, 'Other', abi);
    const pathOf = (address: string): string => join(folder, 'u', 'eth', `${address}.json`);
    await writeFile(pathOf(ADDRESS), await readFile(pathOf(OTHER)));
    assert.equal(
      (await new GivenAbis(new GivenAbiFiles(folder, log), log).get(place!)).contractName,
      'Vault',
    );
    assert.equal(warnings.length, 1);
    await rm(join(folder, 'u', 'eth', 'generations'), { recursive: true });
    await writeFile(pathOf(ADDRESS), await readFile(pathOf(OTHER)));
    await assert.rejects(new GivenAbis(new GivenAbiFiles(folder, log), log).get(place!), {
      kind: 'storageDamaged',
      message: /its checksum does not match its content/,
    });
  });

  it('reads files without a checksum, and labels in the format of older versions', async () => {
    const label = { address: ADDRESS, chain: '', name: 'treasury' };
    await writeFile(join(folder, 'u.json'), JSON.stringify([label]));
    const labels = await new GivenLabels(new LabelFiles(folder, log), log).list('u');
    assert.deepEqual(labels, [{ address: ADDRESS, name: 'treasury' }]);
    assert.deepEqual(warnings, []);
  });
});
