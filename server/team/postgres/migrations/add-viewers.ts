import { sql } from 'kysely';
import type { Migration } from './migration';

/** Viewers of projects. They have a table of their own: a node of the version before, which knows no roles, does not admit them at all. */
export const addViewers: Migration = {
  readableBy: 1,
  up: async (db) => {
    await sql`CREATE TABLE forklens.viewers (
      project_id text NOT NULL,
      user_id text NOT NULL,
      ordinal integer NOT NULL,
      PRIMARY KEY (project_id, user_id)
    )`.execute(db);
    await sql`CREATE INDEX viewers_by_user ON forklens.viewers (user_id)`.execute(db);
  },
};
