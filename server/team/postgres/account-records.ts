import { sql } from 'kysely';
import { emptyStore, type StoreData } from '../../store/accounts/schema';
import type { Database, Db } from './database/database';
import type { Schema } from './database/schema';
import { forkRow, toForkRecord } from './fork-store';
import { selectProjects, toProject } from './project-store';
import { keyRow, toKey } from './key-store';
import { projectRow, toUser, userRow } from './user-store';

/** Rows that one statement inserts. */
const BATCH = 500;
const TABLES = [
  'forklens.users',
  'forklens.access_keys',
  'forklens.projects',
  'forklens.collaborators',
  'forklens.viewers',
  'forklens.usage',
  'forklens.forks',
  'forklens.labels',
  'forklens.abis',
  'forklens.journals',
  'forklens.audit_log',
] as const;

/** All records at once, in the form of the store file. */
export class PostgresRecords {
  constructor(private readonly database: Database) {}

  /** Whether the tables have no row. */
  async isEmpty(): Promise<boolean> {
    for (const table of TABLES) {
      const found = await this.database.repeatable((db) =>
        db
          .selectFrom(table)
          .select(sql`1`.as('one'))
          .limit(1)
          .executeTakeFirst(),
      );
      if (found) return false;
    }
    return true;
  }

  /** Reads one state of all records. */
  readAll(): Promise<StoreData> {
    return this.database.repeatable((db) =>
      db.transaction().setIsolationLevel('repeatable read').execute(readRecords),
    );
  }

  /** Adds all records, or none. */
  writeAll({ users, keys, projects, forks, usage }: StoreData): Promise<void> {
    return this.database.transact(async (transaction) => {
      const insert = async <Table extends keyof Schema>(
        table: Table,
        rows: readonly Schema[Table][],
      ): Promise<void> => {
        for (let from = 0; from < rows.length; from += BATCH) {
          const values = rows.slice(from, from + BATCH);
          await transaction
            .insertInto(table)
            .values(values as never)
            .execute();
        }
      };
      await insert('forklens.users', Object.values(users).map(userRow));
      await insert('forklens.access_keys', Object.values(keys).map(keyRow));
      await insert('forklens.projects', Object.values(projects).map(projectRow));
      const members = (projectId: string, ids: readonly string[]) =>
        ids.map((userId, index) => ({
          project_id: projectId,
          user_id: userId,
          ordinal: index + 1,
        }));
      await insert(
        'forklens.collaborators',
        Object.values(projects).flatMap((one) => members(one.projectId, one.collaboratorIds)),
      );
      await insert(
        'forklens.viewers',
        Object.values(projects).flatMap((one) => members(one.projectId, one.viewerIds ?? [])),
      );
      await insert('forklens.forks', Object.values(forks).map(forkRow));
      await insert(
        'forklens.usage',
        Object.entries(usage).flatMap(([projectId, days]) =>
          Object.entries(days).map(([day, count]) => ({ project_id: projectId, day, count })),
        ),
      );
    });
  }
}

async function readRecords(db: Db): Promise<StoreData> {
  const users = await db.selectFrom('forklens.users').selectAll().orderBy('create_time').execute();
  const keys = await db
    .selectFrom('forklens.access_keys')
    .selectAll()
    .orderBy('create_time')
    .execute();
  const projects = await selectProjects(db).orderBy('create_time').execute();
  const forks = await db.selectFrom('forklens.forks').selectAll().orderBy('create_time').execute();
  const usage = await db.selectFrom('forklens.usage').selectAll().execute();
  return {
    ...emptyStore(),
    users: byId(users.map(toUser), ({ userId }) => userId),
    keys: byId(keys.map(toKey), ({ keyId }) => keyId),
    projects: byId(projects.map(toProject), ({ projectId }) => projectId),
    forks: byId(
      forks.map((row) => ({ ...toForkRecord(row) })),
      ({ forkId }) => forkId,
    ),
    usage: toUsage(usage),
  };
}

const byId = <Item>(items: readonly Item[], idOf: (item: Item) => string): Record<string, Item> =>
  Object.fromEntries(items.map((item) => [idOf(item), item]));

function toUsage(rows: readonly Schema['forklens.usage'][]): StoreData['usage'] {
  const usage: StoreData['usage'] = {};
  for (const { project_id, day, count } of rows) {
    (usage[project_id] ??= {})[day] = count;
  }
  return usage;
}
