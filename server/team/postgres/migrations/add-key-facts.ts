import { sql } from 'kysely';
import type { Migration } from './migration';

const COLUMNS = ['expires_at timestamptz', 'last_used_at timestamptz', 'replaced_by text'];

/** Expiry, last use and replacement of access keys. A node of the version before does not check the expiry; update all nodes soon. */
export const addKeyFacts: Migration = {
  readableBy: 1,
  up: async (db) => {
    for (const column of COLUMNS) {
      await sql`ALTER TABLE forklens.access_keys ADD COLUMN ${sql.raw(column)}`.execute(db);
    }
    await sql`CREATE INDEX access_keys_by_user ON forklens.access_keys (user_id)`.execute(db);
  },
};
