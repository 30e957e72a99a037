import { sql, type SelectQueryBuilder } from 'kysely';
import type { CollaboratorRole } from '../../api/project';
import { newSecret } from '../../forks/life/fork-record';
import type { ProjectRecord, ProjectStore } from '../../projects/ports';
import type { Database, Db } from './database/database';
import type { Schema } from './database/schema';
import { projectRow } from './user-store';

/** Projects and their collaborators in the database. */
export class PostgresProjectStore implements ProjectStore {
  constructor(private readonly database: Database) {}

  insertProject(project: ProjectRecord, limit: number): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      // One at a time for each owner, so that the count holds.
      await transaction
        .selectFrom('forklens.users')
        .select('user_id')
        .where('user_id', '=', project.ownerId)
        .forUpdate()
        .execute();
      const { owned } = await transaction
        .selectFrom('forklens.projects')
        .select(({ fn }) => fn.countAll<number>().as('owned'))
        .where('owner_id', '=', project.ownerId)
        .executeTakeFirstOrThrow();
      if (owned >= limit) return false;
      await transaction.insertInto('forklens.projects').values(projectRow(project)).execute();
      return true;
    });
  }

  async findProject(projectId: string): Promise<ProjectRecord | undefined> {
    const row = await this.database.repeatable((db) =>
      selectProjects(db).where('project_id', '=', projectId).executeTakeFirst(),
    );
    return row && toProject(row);
  }

  async listProjectsOf(userId: string): Promise<readonly ProjectRecord[]> {
    const rows = await this.database.repeatable((db) =>
      selectProjects(db)
        .where((eb) =>
          eb.or([
            eb('owner_id', '=', userId),
            ...Object.values(MEMBERS).map((table) =>
              eb(
                'project_id',
                'in',
                eb
                  .selectFrom(`${table} as members`)
                  .select('members.project_id')
                  .where('members.user_id', '=', userId),
              ),
            ),
          ]),
        )
        .orderBy('create_time')
        .orderBy('project_id')
        .execute(),
    );
    return rows.map(toProject);
  }

  async renameProject(projectId: string, name: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database.repeatable((db) =>
      db
        .updateTable('forklens.projects')
        .set({ name })
        .where('project_id', '=', projectId)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  deleteProject(projectId: string): Promise<void> {
    return this.database.transact(async (transaction) => {
      for (const table of PROJECT_TABLES) {
        await transaction.deleteFrom(table).where('project_id', '=', projectId).execute();
      }
    });
  }

  addCollaborator(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      if (!(await lockProject(transaction, projectId))) return false;
      if (await isMember(transaction, 'forklens.viewers', projectId, userId)) return false;
      if (await isMember(transaction, 'forklens.collaborators', projectId, userId)) return false;
      await insertMember(transaction, MEMBERS[role], projectId, userId);
      return true;
    });
  }

  setCollaboratorRole(projectId: string, userId: string, role: CollaboratorRole): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      if (!(await lockProject(transaction, projectId))) return false;
      if (await isMember(transaction, MEMBERS[role], projectId, userId)) return true;
      const other = role === 'editor' ? MEMBERS.viewer : MEMBERS.editor;
      if (!(await deleteMember(transaction, other, projectId, userId))) return false;
      await insertMember(transaction, MEMBERS[role], projectId, userId);
      if (role === 'viewer') await renewSecrets(transaction, projectId);
      return true;
    });
  }

  removeCollaborator(projectId: string, userId: string): Promise<boolean> {
    return this.database.transact(async (transaction) => {
      if (!(await lockProject(transaction, projectId))) return false;
      const wasViewer = await deleteMember(transaction, MEMBERS.viewer, projectId, userId);
      const wasEditor = await deleteMember(transaction, MEMBERS.editor, projectId, userId);
      if (wasEditor) await renewSecrets(transaction, projectId);
      return wasViewer || wasEditor;
    });
  }
}

const MEMBERS = { editor: 'forklens.collaborators', viewer: 'forklens.viewers' } as const;
type Members = (typeof MEMBERS)[CollaboratorRole];

const PROJECT_TABLES = ['forklens.usage', ...Object.values(MEMBERS), 'forklens.projects'] as const;

type ProjectRow = Schema['forklens.projects'] & {
  collaborator_ids: string[];
  viewer_ids: string[];
};

export const selectProjects = (
  db: Db,
): SelectQueryBuilder<Schema, 'forklens.projects', ProjectRow> =>
  db
    .selectFrom('forklens.projects')
    .selectAll()
    .select([
      sql<string[]>`ARRAY(SELECT user_id FROM forklens.collaborators AS c
        WHERE c.project_id = projects.project_id ORDER BY c.ordinal)`.as('collaborator_ids'),
      sql<string[]>`ARRAY(SELECT user_id FROM forklens.viewers AS v
        WHERE v.project_id = projects.project_id ORDER BY v.ordinal)`.as('viewer_ids'),
    ]);

export const toProject = (row: ProjectRow): ProjectRecord => ({
  projectId: row.project_id,
  ownerId: row.owner_id,
  name: row.name,
  createTime: row.create_time,
  collaboratorIds: row.collaborator_ids,
  ...(row.viewer_ids.length > 0 ? { viewerIds: row.viewer_ids } : {}),
});

/** @returns whether the project exists */
async function lockProject(transaction: Db, projectId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('forklens.projects')
    .select('project_id')
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

async function isMember(
  transaction: Db,
  table: Members,
  projectId: string,
  userId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom(table)
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a member after the others. The caller has locked the project. */
async function insertMember(
  transaction: Db,
  table: Members,
  projectId: string,
  userId: string,
): Promise<void> {
  await transaction
    .insertInto(table)
    .columns(['project_id', 'user_id', 'ordinal'])
    .expression((eb) =>
      eb
        .selectFrom(table)
        .select([
          eb.val(projectId).as('project_id'),
          eb.val(userId).as('user_id'),
          sql<number>`coalesce(max(ordinal), 0) + 1`.as('ordinal'),
        ])
        .where('project_id', '=', projectId),
    )
    .execute();
}

/** @returns whether there was one */
async function deleteMember(
  transaction: Db,
  table: Members,
  projectId: string,
  userId: string,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom(table)
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The secrets come from the service's random generator: the database's functions differ between products. */
async function renewSecrets(transaction: Db, projectId: string): Promise<void> {
  const forks = await transaction
    .selectFrom('forklens.forks')
    .select('fork_id')
    .where('project_id', '=', projectId)
    .forUpdate()
    .execute();
  const ids = forks.map(({ fork_id }) => fork_id);
  const secrets = ids.map(newSecret);
  await sql`UPDATE forklens.forks AS f SET secret = renewed.secret
    FROM unnest(${ids}::text[], ${secrets}::text[]) AS renewed (fork_id, secret)
    WHERE f.fork_id = renewed.fork_id`.execute(transaction);
}
