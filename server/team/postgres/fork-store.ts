import type { ForkRecord } from '../../forks/life/fork-record';
import type { ForkStore } from '../../forks/life/ports';
import type { Database } from './database/database';
import type { Schema } from './database/schema';

/** Fork records in the database. */
export class PostgresForkStore implements ForkStore {
  constructor(private readonly database: Database) {}

  async list(projectId?: string): Promise<readonly ForkRecord[]> {
    const rows = await this.database.repeatable((db) => {
      const all = db
        .selectFrom('forklens.forks')
        .selectAll()
        .orderBy('create_time')
        .orderBy('fork_id');
      return (projectId === undefined ? all : all.where('project_id', '=', projectId)).execute();
    });
    return rows.map(toForkRecord);
  }

  async put(_forkId: string, record: ForkRecord): Promise<void> {
    const row = forkRow(record);
    await this.database.repeatable((db) =>
      db
        .insertInto('forklens.forks')
        .values(row)
        .onConflict((conflict) => conflict.column('fork_id').doUpdateSet(row))
        .execute(),
    );
  }

  async setSecret(forkId: string, secret: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database.repeatable((db) =>
      db
        .updateTable('forklens.forks')
        .set({ secret })
        .where('fork_id', '=', forkId)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  async delete(forkId: string): Promise<void> {
    await this.database.repeatable((db) =>
      db.deleteFrom('forklens.forks').where('fork_id', '=', forkId).execute(),
    );
  }
}

export function forkRow(record: ForkRecord): Schema['forklens.forks'] {
  const { forkId, projectId, secret, createTime, counted, ...rest } = record;
  return {
    fork_id: forkId,
    project_id: projectId,
    secret,
    create_time: createTime,
    counted: counted ?? null,
    record: JSON.stringify(rest),
  };
}

export const toForkRecord = (row: Schema['forklens.forks']): ForkRecord => ({
  ...(JSON.parse(row.record) as Omit<
    ForkRecord,
    'forkId' | 'projectId' | 'secret' | 'createTime' | 'counted'
  >),
  forkId: row.fork_id,
  projectId: row.project_id,
  secret: row.secret,
  createTime: row.create_time,
  ...(row.counted === null ? {} : { counted: row.counted }),
});
