import assert from 'node:assert/strict';
import { sql, type Kysely } from 'kysely';
import type { JournalEntry } from '../../../server/forks/writes/journal';
import { Database } from '../../../server/team/postgres/database/database';
import { migrate } from '../../../server/team/postgres/database/migrate';
import type { Migration } from '../../../server/team/postgres/migrations/migration';
import { MIGRATIONS } from '../../../server/team/postgres/migrations/migrations';
import { openPostgresStorage } from '../../../server/team/postgres/open-storage';
import { describeWith } from '../../support/programs';
import { usePostgres } from '../../support/storages';

describeWith(['initdb'], 'the database', () => {
  const cluster = usePostgres();
  let name: string;
  let opened: Database[];
  beforeEach(async () => {
    name = await cluster().createDatabase();
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((database) => database.close())));

  const open = async (url = cluster().urlOf(name)): Promise<Database> => {
    const database = await Database.open({ url, maxConnections: 4 });
    opened.push(database);
    return database;
  };
  const query = <Row>(text: string) => cluster().query<Row>(text, name);
  const versions = () => query<object>('SELECT version, readable_by FROM forklens.schema_version');
  const refused = (message: RegExp) => (error: Error) => {
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /pa55word|postgres:\/\//);
    return true;
  };

  it('gets its tables once, though several nodes start at a time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => open()));
    const current = MIGRATIONS.length;
    assert.deepEqual(await versions(), [{ version: current, readable_by: 1 }]);
  });

  it('refuses a schema that needs a newer version, and leaves it unchanged', async () => {
    await open();
    await query('UPDATE forklens.schema_version SET version = 9, readable_by = 8');
    await assert.rejects(
      open(),
      refused(
        /^cannot use the database: the database has schema version 9, which needs a Forklens that supports version 8 or later, and this version supports versions up to \d+: use a newer Forklens$/,
      ),
    );
    assert.deepEqual(await versions(), [{ version: 9, readable_by: 8 }]);
  });

  it('uses a newer schema that is usable for this version', async () => {
    await open();
    await query('UPDATE forklens.schema_version SET version = 9, readable_by = 1');
    await open();
    assert.deepEqual(await versions(), [{ version: 9, readable_by: 1 }]);
  });

  it('names the reason if it cannot be used, and never the URL', async () => {
    const url = cluster().urlOf('missing');
    await assert.rejects(open(url), refused(/: there is no such database$/));
    const nowhere = 'postgres://ann:pa55word@127.0.0.1:1/x';
    await assert.rejects(open(nowhere), refused(/: it does not answer \(ECONNREFUSED\)$/));
    const unknown = cluster().urlOf(name, 'nobody');
    await assert.rejects(open(unknown), refused(/: it does not accept the user$/));
    await query('CREATE ROLE crowded LOGIN CONNECTION LIMIT 0');
    await assert.rejects(
      open(cluster().urlOf(name, 'crowded')),
      refused(/: it has no free connection$/),
    );
    await query('CREATE ROLE poor LOGIN');
    await assert.rejects(
      open(cluster().urlOf(name, 'poor')),
      refused(/: the user may not create or use the schema "forklens"$/),
    );
  });

  it('refuses a database that acknowledges changes before they are durable', async () => {
    await query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await assert.rejects(open(), refused(/: synchronous_commit is off for this role or database/));
  });

  it('bounds its connections, and serves all requests', async () => {
    const database = await open();
    const counts = await Promise.all(
      Array.from({ length: 40 }, () =>
        database.repeatable(async (db) => {
          const { count } = await db
            .selectFrom('pg_stat_activity' as never)
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('datname' as never, '=', name as never)
            .where('application_name' as never, '=', 'forklens' as never)
            .executeTakeFirstOrThrow();
          return count;
        }),
      ),
    );
    assert.ok(Math.max(...counts) <= 4, `${Math.max(...counts)} connections`);
  });

  it('repeats a transaction that the database rolled back', async () => {
    const database = await open();
    let attempts = 0;
    const done = await database.transact(() => {
      attempts++;
      const error = Object.assign(new Error('could not serialize access'), { code: '40001' });
      return attempts < 3 ? Promise.reject(error) : Promise.resolve('done');
    });
    assert.deepEqual([done, attempts], ['done', 3]);
  });

  it('repeats a task after a lost connection only if it may be repeated', async () => {
    const database = await open();
    // Other processes use other databases of the cluster.
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name = `;
    for (const [isRepeatable, expected] of [
      [true, 2],
      [false, 1],
    ] as const) {
      let attempts = 0;
      const task = (db: Kysely<never>): Promise<unknown> =>
        db.connection().execute(async (connection) => {
          attempts++;
          const read = connection.selectFrom('pg_class' as never).select('oid' as never);
          await read.limit(1).execute();
          if (attempts === 1) await cluster().query(`${end}'forklens'`);
          return read.limit(1).execute();
        });
      const outcome = isRepeatable
        ? database.repeatable(task as never)
        : database.once(task as never);
      if (isRepeatable) await outcome;
      else await assert.rejects(outcome, { kind: 'databaseUnavailable', retryAfter: 2 });
      assert.equal(attempts, expected);
    }
  });
});

describeWith(['initdb'], 'migrations of the database', () => {
  const cluster = usePostgres();

  it('that only add leave a service of the version before at work', async () => {
    const name = await cluster().createDatabase();
    const storage = await openPostgresStorage({
      url: cluster().urlOf(name),
      maxConnections: 2,
      leaseSeconds: 600,
      node: { nodeId: 'a', url: null, capacity: 1, version: '1' },
      log: { warn: () => undefined },
    });
    try {
      await storage.journals.create('fork_1');
      const { journal } = await storage.journals.open('fork_1');
      const entry: JournalEntry = { op: 'automine', on: true };
      await journal.append(entry);
      const { readableBy } = MIGRATIONS.at(-1)!;
      const next: Migration = {
        readableBy,
        up: async (db) => {
          for (const table of ['users', 'forks', 'journals', 'journal_entries', 'leases']) {
            await sql`ALTER TABLE ${sql.table(`forklens.${table}`)} ADD COLUMN later text DEFAULT 'x'`.execute(
              db,
            );
          }
        },
      };
      const newer = await Database.open({ url: cluster().urlOf(name), maxConnections: 1 });
      await newer.once((db) => migrate(db, [...MIGRATIONS, next]));
      await newer.close();
      await journal.append(entry);
      await journal.rewrite({ nextSnapshot: 0, executed: 0, entries: [entry] });
      await journal.append(entry);
      await journal.close();
      const again = await storage.journals.open('fork_1');
      assert.deepEqual(again.contents.entries, [entry, entry]);
      assert.deepEqual(await storage.users.listUsers(), []);
    } finally {
      await storage.close();
    }
  });

  it('that die half way leave the schema as it was, and are made by the next start', async () => {
    const name = await cluster().createDatabase();
    const database = await Database.open({ url: cluster().urlOf(name), maxConnections: 2 });
    const half: Migration = {
      readableBy: 1,
      up: async (db) => {
        await db.schema.createTable('forklens.half').addColumn('id', 'integer').execute();
        throw new Error('the process dies');
      },
    };
    const whole: Migration = {
      readableBy: 1,
      up: (db) => db.schema.createTable('forklens.half').addColumn('id', 'integer').execute(),
    };
    const tables = async () =>
      cluster().query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_name = 'half'`,
        name,
      );
    try {
      const run = (migration: Migration) =>
        database.once((db) => migrate(db, [...MIGRATIONS, migration]));
      await assert.rejects(run(half), /the process dies/);
      assert.deepEqual(await tables(), []);
      await run(whole);
      assert.deepEqual(await tables(), [{ name: 'half' }]);
    } finally {
      await database.close();
    }
  });
});
