import { sql, type Kysely } from 'kysely';
import type { Migration } from '../migrations/migration';
import type { Schema } from './schema';

type Db = Kysely<Schema>;

/** The schema of the database is of a later version of the service. The message is for the user. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor(found: number, readable: number, supported: number) {
    super(
      `the database has schema version ${found}, which needs a Forklens that supports version ${readable} or later, ` +
        `and this version supports versions up to ${supported}: use a newer Forklens`,
    );
  }
}

/** undefined_table, invalid_schema_name */
const NO_SCHEMA = new Set(['42P01', '3F000']);
/** unique_violation, duplicate_schema, duplicate_table, duplicate_object (the type of a table): another node creates the same at the same time. */
const CREATED_ALREADY = new Set(['23505', '42P06', '42P07', '42710']);

/**
 * Brings the schema to the version of these migrations. Several nodes may do so at a time: the row of the version is the lock. Either all
 * migrations are made or none. A schema that is newer, and that its migrations declare usable for this version, is left unchanged.
 * @throws NewerDatabaseError
 */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<void> {
  const found = await readVersion(db);
  if (found && isCurrent(found, migrations.length)) return;
  if (!found) await createVersion(db);
  await db.transaction().execute(async (transaction) => {
    const locked = await readVersion(transaction, true);
    const version = locked?.version ?? 0;
    if (locked && isCurrent(locked, migrations.length)) return;
    for (const { up } of migrations.slice(version))
      await up(transaction as unknown as Kysely<unknown>);
    await transaction
      .updateTable('forklens.schema_version')
      .set({ version: migrations.length, readable_by: migrations.at(-1)?.readableBy ?? 0 })
      .execute();
  });
}

interface Version {
  version: number;
  readable_by: number;
}

/** @throws NewerDatabaseError */
function isCurrent({ version, readable_by }: Version, supported: number): boolean {
  if (readable_by > supported) throw new NewerDatabaseError(version, readable_by, supported);
  return version >= supported;
}

async function readVersion(db: Db, locked = false): Promise<Version | undefined> {
  const query = db.selectFrom('forklens.schema_version').select(['version', 'readable_by']);
  try {
    return await (locked ? query.forUpdate() : query).executeTakeFirst();
  } catch (error) {
    if (!hasCode(error, NO_SCHEMA)) throw error;
    return undefined;
  }
}

async function createVersion(db: Db): Promise<void> {
  const statements = [
    sql`CREATE SCHEMA IF NOT EXISTS forklens`,
    sql`CREATE TABLE IF NOT EXISTS forklens.schema_version (
      id integer PRIMARY KEY CHECK (id = 1),
      version integer NOT NULL,
      readable_by integer NOT NULL
    )`,
    sql`INSERT INTO forklens.schema_version (id, version, readable_by) VALUES (1, 0, 0)
      ON CONFLICT DO NOTHING`,
  ];
  for (const statement of statements) {
    // PostgreSQL can report a conflict in spite of IF NOT EXISTS.
    await statement.execute(db).catch((error: unknown) => {
      if (!hasCode(error, CREATED_ALREADY)) throw error;
    });
  }
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  codes.has(String((error as { code?: unknown }).code));
