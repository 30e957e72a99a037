import { sql } from 'kysely';
import type { Migration } from './migration';

const STATEMENTS = [
  sql`CREATE TABLE forklens.audit_log (
    id text PRIMARY KEY,
    action text NOT NULL,
    project_id text,
    user_id text,
    owner_id text,
    entry text NOT NULL
  )`,
  sql`CREATE INDEX audit_by_user ON forklens.audit_log (user_id, id)`,
  sql`CREATE INDEX audit_by_owner ON forklens.audit_log (owner_id, id)`,
];

/** The audit log. A node of the version before writes no entries. */
export const addAuditLog: Migration = {
  readableBy: 1,
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
