import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GivenAbiFiles } from '../../server/store/user-supplied/abi-files';
import { GivenAbis } from '../../server/store/user-supplied/given-abis';
import { findAnvil } from '../../server/chains/engine/binary';
import { EngineNetworks } from '../../server/chains/engine/engine-networks';
import { anvilStarter } from '../../server/chains/engine/engine-process';
import type { AbiItem } from '../../server/api/abi';
import { ApiError } from '../../server/api/errors';
import type { Address } from '../../server/api/primitives';
import { leave, limitFiles } from '../support/file-descriptors';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** More than the start of an engine needs. */
const DESCRIPTORS = 24;

describe('without file descriptors', () => {
  let unlimit: (() => void) | undefined;
  before(function () {
    if (process.platform !== 'linux') this.skip(); // prlimit of a running process
    unlimit = limitFiles(2 * DESCRIPTORS);
  });
  after(() => unlimit?.());

  it('the start of an engine is refused, and later engines are still isolated', async function () {
    const home = await makeTemporaryDirectory();
    const { path: binary } = await findAnvil({ path: process.env['PATH'] });
    const unavailable: string[] = [];
    const options = { onUnavailable: (why: string) => unavailable.push(why) };
    const shared = new EngineNetworks(options);
    const isIsolated = (await shared.current()) !== undefined;
    const kinds = new Set<string>();
    for (let more = 0; more < DESCRIPTORS; more++) {
      for (const networks of [shared, new EngineNetworks(options)]) {
        const start = anvilStarter({ binary, home, network: () => networks.current() });
        const close = leave(more);
        try {
          await (await start({ chainId: 1, hardfork: 'prague' })).stop();
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
          kinds.add(error.kind);
        } finally {
          close();
          if (networks !== shared) await networks.close();
        }
      }
    }
    await shared.close();
    await removeDirectory(home);
    assert.ok(kinds.has('outOfFiles'));
    kinds.delete('engineUnavailable'); // the engine or its network ended because it had no free descriptors itself
    assert.deepEqual([...kinds], ['outOfFiles']);
    if (isIsolated) assert.deepEqual(unavailable, []);
  });

  it('an ABI that cannot be read does not count as damaged', async () => {
    const folder = await makeTemporaryDirectory();
    const log = { warn: () => assert.fail('nothing is damaged') };
    const address: Address = `0x${'1'.repeat(40)}`;
    const place = { user: 'u', chain: 'eth', address };
    const abi: AbiItem[] = [{ type: 'function', name: 'f', inputs: [], outputs: [] }];
    let name = 'first';
    await new GivenAbis(new GivenAbiFiles(folder, log), log).put(place, name, abi);
    for (let more = 0; more < 4; more++) {
      const given = new GivenAbis(new GivenAbiFiles(folder, log), log);
      const close = leave(more);
      const made = await given.put(place, `with ${more}`, abi).then(
        () => true,
        () => false,
      );
      close();
      if (made) name = `with ${more}`;
      assert.equal(
        (await new GivenAbis(new GivenAbiFiles(folder, log), log).get(place)).contractName,
        name,
      );
    }
    const files = await readdir(join(folder, 'u', 'eth'));
    assert.deepEqual(files.sort(), [`${address}.json`, 'generations']);
    await removeDirectory(folder);
  });
});
