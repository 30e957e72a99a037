import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Address } from '../../../server/api/primitives';
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../../server/team/postgres/open-storage';
import { describeWith } from '../../support/programs';
import { usePostgres } from '../../support/storages';

const ONE: Address = `0x${'1'.repeat(40)}`;
const TWO: Address = `0x${'2'.repeat(40)}`;
const given = (contractName: string) => ({ contractName, abi: [] });

describeWith(['initdb'], 'damaged ABIs and labels in the database', () => {
  const cluster = usePostgres();
  let name: string;
  let storage: PostgresStorage;
  let warnings: string[];
  beforeEach(async () => {
    name = await cluster().createDatabase();
    warnings = [];
    storage = await openPostgresStorage({
      url: cluster().urlOf(name),
      maxConnections: 4,
      leaseSeconds: 600,
      node: { nodeId: 'a', url: null, capacity: 1, version: '1' },
      log: { ...pino({ enabled: false }), warn: (_, message) => void warnings.push(message) },
    });
  });
  afterEach(() => storage.close());

  it('leave the other ABIs usable, and are named when they are asked for', async () => {
    const { abis } = storage;
    for (const [chain, address] of [
      ['eth', ONE],
      ['fork_1', ONE],
      ['eth', TWO],
    ] as const) {
      await abis.put({ user: 'u', chain, address }, given(`${chain} ${address}`));
    }
    await cluster().query(
      `UPDATE forklens.abis SET abi = '{' WHERE chain = 'fork_1' OR address = '${TWO}'`,
      name,
    );

    const found = await abis.findAll('u', ['fork_1', 'eth'], [ONE, TWO]);

    assert.deepEqual([...found], [[ONE, given(`eth ${ONE}`)]]);
    assert.deepEqual(warnings, Array(2).fill('an ABI that a user gave is ignored'));
    await assert.rejects(abis.find({ user: 'u', chain: 'eth', address: TWO }), {
      kind: 'storageDamaged',
      message: `the ABI of ${TWO} on eth in the database cannot be read: restore a backup of the database`,
    });
  });

  it('are refused as labels, and kept as they are', async () => {
    const { labels } = storage;
    await labels.change('u', (all) => all.set('k', { address: ONE, chain: '', name: 'me' }));
    await cluster().query(`UPDATE forklens.labels SET labels = '[7]'`, name);
    const damaged = {
      kind: 'storageDamaged',
      message:
        'the labels of the user in the database cannot be read: restore a backup of the database',
    };
    await assert.rejects(labels.read('u'), damaged);
    await assert.rejects(
      labels.change('u', (all) => {
        all.clear();
      }),
      damaged,
    );
    const [row] = await cluster().query<{ labels: string }>(
      'SELECT labels FROM forklens.labels',
      name,
    );
    assert.equal(row?.labels, '[7]');
  });
});
