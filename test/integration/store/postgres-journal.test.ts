import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { ForkRecord } from '../../../server/forks/life/fork-record';
import { wholeEntry, type JournalEntry } from '../../../server/forks/writes/journal';
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../../server/team/postgres/open-storage';
import { PostgresProxy } from '../../support/postgres-proxy';
import { describeWith } from '../../support/programs';
import { usePostgres } from '../../support/storages';

const step = (method: string, ...params: string[]): JournalEntry => ({
  op: 'call',
  method,
  params,
});
const record = (forkId: string): ForkRecord => ({
  forkId,
  projectId: 'p',
  name: 'f',
  chain: 'eth',
  chainId: 1,
  height: 1,
  position: null,
  base: 1,
  prefix: 0,
  hardfork: 'prague',
  antiReplay: false,
  secret: '0',
  snapshotId: 's',
  createTime: '2026-03-01T12:00:00.000Z',
});

describeWith(['initdb'], 'journals in the database', () => {
  const cluster = usePostgres();
  let name: string;
  let storage: PostgresStorage;
  let warnings: string[];
  const open = (url = cluster().urlOf(name)): Promise<PostgresStorage> =>
    openPostgresStorage({
      url,
      maxConnections: 4,
      node: { nodeId: 'a', url: null, capacity: 1, version: '1' },
      leaseSeconds: 600,
      log: { ...pino({ enabled: false }), warn: (_, message) => void warnings.push(message) },
    });
  beforeEach(async () => {
    name = await cluster().createDatabase();
    warnings = [];
    storage = await open();
    await storage.journals.create('fork_1');
    await storage.journals.confirm('fork_1');
  });
  afterEach(() => storage.close());

  const query = <Row = object>(text: string) => cluster().query<Row>(text, name);
  const count = async (table: string): Promise<number> => {
    const [row] = await query<{ count: string }>(`SELECT count(*) FROM forklens.${table}`);
    return Number(row?.count);
  };
  const methods = async (): Promise<string[]> => {
    const { contents, close } = await storage.journals.read('fork_1');
    const entries = await Promise.all(contents.entries.map(wholeEntry));
    await close();
    return entries.flatMap((entry) => (entry.op === 'call' ? [entry.method] : []));
  };
  const write = async (...names: string[]): Promise<void> => {
    const { journal } = await storage.journals.open('fork_1');
    for (const one of names) await journal.append(step(one));
    await journal.close();
  };

  it('have each entry once, though the answer to its commit was lost', async () => {
    const proxy = await PostgresProxy.open(cluster());
    const behind = await open(proxy.urlOf(name));
    try {
      const { journal } = await behind.journals.open('fork_1');
      await journal.append(step('a'));
      proxy.dropAnswerTo('INSERT INTO forklens.journal_entries');
      await journal.append(step('b'));
      await journal.append(step('c'));
      proxy.dropAnswerTo('UPDATE forklens.journals');
      const entries = [step('x'), step('y')];
      await journal.rewrite({ nextSnapshot: 1, executed: 2, entries });
      await journal.append(step('d'));
      assert.equal(proxy.drops, 2);
      assert.deepEqual(await methods(), ['x', 'y', 'd']);
    } finally {
      await behind.close();
      await proxy.close();
    }
  });

  it('accept no entry after one whose fate is unknown, until they are opened again', async () => {
    const { journal } = await storage.journals.open('fork_1');
    await journal.append(step('a'));
    await query(`CREATE FUNCTION fail() RETURNS trigger AS
      $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql`);
    await query(`CREATE TRIGGER fail BEFORE INSERT ON forklens.journal_entries
      FOR EACH ROW EXECUTE FUNCTION fail()`);
    await assert.rejects(journal.append(step('b')), { kind: 'storageFull', code: 50700 });
    await query('DROP TRIGGER fail ON forklens.journal_entries');
    await assert.rejects(journal.append(step('c')), { kind: 'engineUnavailable' });
    await journal.close();
    await write('d');
    assert.deepEqual(await methods(), ['a', 'd']);
  });

  it('name an entry that is damaged or missing, and the remedy', async () => {
    await write('a', 'b', 'c');
    const remedy = ': restore a backup of the database, or delete the fork';
    for (const [change, seq] of [
      [`UPDATE forklens.journal_entries SET line = replace(line, '"b"', '"x"')`, 2],
      ['DELETE FROM forklens.journal_entries WHERE seq = 1', 1],
    ] as const) {
      await query(change);
      const message = `the journal of the fork fork_1 in the database is damaged at entry ${seq}${remedy}`;
      await assert.rejects(methods(), { kind: 'engineUnavailable', message });
      await assert.rejects(storage.journals.open('fork_1'), { message });
    }
  });

  it('report a payload that lacks a part', async () => {
    const { journal } = await storage.journals.open('fork_1');
    const entry = await journal.append(step('large', 'x'.repeat(1_500_000)));
    assert.equal(await count('journal_payloads'), 3);
    await query('DELETE FROM forklens.journal_payloads WHERE part = 1');
    await assert.rejects(wholeEntry(entry), { message: /is damaged at entry 1:/ });
    await journal.close();
  });

  it('leave no rows behind when they are rewritten or removed', async () => {
    const { journal } = await storage.journals.open('fork_1');
    const large = await journal.append(step('large', 'x'.repeat(20_000)));
    await journal.append(step('other', 'x'.repeat(20_000)));
    await journal.append(step('small'));
    await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [large] });
    assert.equal(await count('journal_entries'), 1);
    assert.equal(await count('journal_payloads'), 1);
    await journal.close();
    await storage.journals.remove('fork_1', () => Promise.resolve());
    for (const table of ['journals', 'journal_entries', 'journal_payloads', 'leases']) {
      assert.equal(await count(table), 0, table);
    }
  });

  it('are cleaned up after a rewrite that a killed node left unfinished', async () => {
    await write('a');
    await query(`INSERT INTO forklens.journal_entries
      SELECT fork_id, '00000000-0000-0000-0000-000000000001', seq, epoch, line, bytes, payload
      FROM forklens.journal_entries`);
    await write('b');
    assert.equal(await count('journal_entries'), 2);
    assert.deepEqual(await methods(), ['a', 'b']);
  });

  it('are tidied as a killed node left them, and none of a fork is removed', async () => {
    const states = {
      created: 'creating',
      fresh: 'creating',
      confirmed: 'creating',
      deleted: 'deleted',
      kept: 'deleted',
      orphan: 'ready',
      whole: 'ready',
    };
    for (const [forkId, state] of Object.entries(states)) {
      await storage.journals.create(forkId);
      await query(`UPDATE forklens.journals SET state = '${state}',
        created_at = now() - interval '${forkId === 'fresh' ? 1 : 61} minutes'
        WHERE fork_id = '${forkId}'`);
    }
    for (const forkId of ['fork_1', 'confirmed', 'kept', 'whole']) {
      await storage.forks.put(forkId, record(forkId));
    }
    await storage.journals.tidy();
    const rows = await query<{ fork_id: string; state: string }>(
      'SELECT fork_id, state FROM forklens.journals ORDER BY fork_id',
    );
    assert.deepEqual(Object.fromEntries(rows.map(({ fork_id, state }) => [fork_id, state])), {
      confirmed: 'ready',
      fork_1: 'ready',
      kept: 'ready',
      whole: 'ready',
      fresh: 'creating',
      orphan: 'ready',
    });
    assert.deepEqual(warnings, ['no fork has this journal; it is kept']);
  });
});
