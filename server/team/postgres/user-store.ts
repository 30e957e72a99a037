import type { ProjectRecord, User, UserStore } from '../../projects/ports';
import type { Database } from './database/database';
import type { Schema } from './database/schema';

/** Users in the database. */
export class PostgresUserStore implements UserStore {
  constructor(private readonly database: Database) {}

  insertUser(user: User, firstProject: ProjectRecord): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      const added = await transaction
        .insertInto('forklens.users')
        .values(userRow(user))
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (!added) return false;
      await transaction.insertInto('forklens.projects').values(projectRow(firstProject)).execute();
      return true;
    });
  }

  async findUser(userId: string): Promise<User | undefined> {
    const row = await this.database.repeatable((db) =>
      db.selectFrom('forklens.users').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    );
    return row && toUser(row);
  }

  async findUserByEmail(email: string): Promise<User | undefined> {
    const row = await this.database.repeatable((db) =>
      db.selectFrom('forklens.users').selectAll().where('email', '=', email).executeTakeFirst(),
    );
    return row && toUser(row);
  }

  async listUsers(): Promise<readonly User[]> {
    const rows = await this.database.repeatable((db) =>
      db
        .selectFrom('forklens.users')
        .selectAll()
        .orderBy('create_time')
        .orderBy('user_id')
        .execute(),
    );
    return rows.map(toUser);
  }
}

export const userRow = ({
  userId,
  nickname,
  email,
  createTime,
}: User): Schema['forklens.users'] => ({
  user_id: userId,
  nickname,
  email,
  create_time: createTime,
});

export const toUser = (row: Schema['forklens.users']): User => ({
  userId: row.user_id,
  nickname: row.nickname,
  email: row.email,
  createTime: row.create_time,
});

export const projectRow = (
  project: Omit<ProjectRecord, 'collaboratorIds' | 'viewerIds'>,
): Schema['forklens.projects'] => ({
  project_id: project.projectId,
  owner_id: project.ownerId,
  name: project.name,
  create_time: project.createTime,
});
