import assert from 'node:assert/strict';
import type { Address } from '../../../server/api/primitives';
import { LIMITS } from '../../../server/api/limits';
import type { Storage } from '../../../server/composition/storage';
import { GivenAbis } from '../../../server/store/user-supplied/given-abis';
import { GivenLabels } from '../../../server/store/user-supplied/given-labels';
import { describeStorages } from '../../support/storages';

const ONE: Address = `0x${'1'.repeat(40)}`;
const TWO: Address = `0x${'2'.repeat(40)}`;
const abi = (name: string) => [{ type: 'function' as const, name, inputs: [], outputs: [] }];
const log = {
  warn: (_: object, message: string): never => {
    throw new Error(message);
  },
};

describeStorages('given ABIs', (test) => {
  let storage: Storage;
  let abis: GivenAbis;
  const open = async (): Promise<void> => {
    storage = await test.open();
    abis = new GivenAbis(storage.abis, log);
  };
  beforeEach(open);

  it('are kept by user, chain and address, and replaced', async () => {
    const key = { user: 'u', chain: 'eth', address: ONE };
    await abis.put(key, 'Vault', abi('f'));
    await abis.put(key, 'Vault "2"', abi('g'));
    await open();
    const given = await abis.get(key);
    assert.equal(given.contractName, 'Vault "2"');
    assert.deepEqual(given.abi, abi('g'));
    for (const other of [{ user: 'v' }, { chain: 'base' }, { address: TWO }]) {
      await assert.rejects(abis.get({ ...key, ...other }), { kind: 'abiNotFound' });
    }
    await abis.delete(key);
    await assert.rejects(abis.get(key), { kind: 'abiNotFound' });
    await assert.rejects(abis.delete(key), { kind: 'abiNotFound' });
  });

  it('have a revision that changes with every change of the user', async () => {
    const key = { user: 'u', chain: 'eth', address: ONE };
    const revisions = [await abis.revision('u')];
    await abis.put(key, 'Vault', abi('f'));
    revisions.push(await abis.revision('u'));
    await abis.put(key, 'Vault', abi('g'));
    revisions.push(await abis.revision('u'));
    assert.equal(new Set(revisions).size, 3);
    await abis.put({ ...key, user: 'v' }, 'Vault', abi('f'));
    assert.equal(await abis.revision('u'), revisions[2]);
    await abis.delete(key);
    assert.notEqual(await abis.revision('u'), revisions[2]);
  });

  it('are found for a network, whose first key wins', async () => {
    await abis.put({ user: 'u', chain: 'eth', address: ONE }, 'OfChain', abi('f'));
    await abis.put({ user: 'u', chain: 'fork_1', address: ONE }, 'OfFork', abi('f'));
    await abis.put({ user: 'u', chain: 'eth', address: TWO }, 'Other', abi('f'));
    await abis.put({ user: 'v', chain: 'eth', address: TWO }, 'OfAnotherUser', abi('f'));
    const found = await abis.givenBy('u', ['fork_1', 'eth'], [ONE, TWO]);
    const names = [...found].map(([address, { name }]) => [address, name]).sort();
    assert.deepEqual(names, [
      [ONE, 'OfFork'],
      [TWO, 'Other'],
    ]);
    assert.equal((await abis.givenBy('u', [], [ONE])).size, 0);
    const keys: string[] = [];
    for await (const { user, chain, address } of storage.abis.keys()) {
      keys.push(`${user} ${chain} ${address}`);
    }
    assert.deepEqual(keys.sort(), [
      `u eth ${ONE}`,
      `u eth ${TWO}`,
      `u fork_1 ${ONE}`,
      `v eth ${TWO}`,
    ]);
  });
});

describeStorages('labels', (test) => {
  let storage: Storage;
  let labels: GivenLabels;
  const open = async (): Promise<void> => {
    storage = await test.open();
    labels = new GivenLabels(storage.labels, log);
  };
  beforeEach(open);
  const names = async (user: string) => (await labels.list(user)).map(({ name }) => name);

  it('are kept by user, oldest first, and a changed one keeps its place', async () => {
    await labels.put({ user: 'u', address: ONE }, 'treasury');
    await labels.put({ user: 'u', address: TWO }, 'vault');
    await labels.put({ user: 'u', address: ONE }, 'Schatz ö');
    await labels.put({ user: 'v', address: ONE }, 'other');
    await open();
    assert.deepEqual(await names('u'), ['Schatz ö', 'vault']);
    await labels.delete({ user: 'u', address: ONE });
    assert.deepEqual(await names('u'), ['vault']);
    assert.deepEqual(await names('nobody'), []);
    await assert.rejects(labels.delete({ user: 'u', address: ONE }), { kind: 'labelNotFound' });
    const users: string[] = [];
    for await (const user of storage.labels.users()) users.push(user);
    assert.deepEqual(users.sort(), ['u', 'v']);
  });

  it('of several changes at a time are all kept', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        labels.put({ user: 'u', address: `0x${String(i).padStart(40, '0')}` }, `label ${i}`),
      ),
    );
    assert.equal((await names('u')).length, 20);
  });

  it('of a later key of a network win, and a refused one changes nothing', async () => {
    await labels.put({ user: 'u', address: ONE }, 'everywhere');
    await labels.put({ user: 'u', chain: 'eth', address: ONE }, 'on eth');
    assert.deepEqual(await labels.labelsOf('u', ['eth']), { [ONE]: 'on eth' });
    assert.deepEqual(await labels.labelsOf('u', []), { [ONE]: 'everywhere' });
    await storage.labels.change('u', (all) => {
      for (let i = all.size; i < LIMITS.labels; i++) {
        all.set(`${i}`, { address: `0x${i}`, chain: 'x', name: `n${i}` });
      }
    });
    await assert.rejects(labels.put({ user: 'u', address: TWO }, 'one more'), {
      kind: 'labelLimit',
    });
    assert.equal((await names('u')).length, LIMITS.labels);
  });
});
