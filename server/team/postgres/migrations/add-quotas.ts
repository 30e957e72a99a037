import { sql } from 'kysely';
import type { Migration } from './migration';

const STATEMENTS = [
  sql`CREATE TABLE forklens.quotas (
    key text PRIMARY KEY,
    began_at timestamptz NOT NULL DEFAULT now(),
    taken integer NOT NULL DEFAULT 0,
    granted integer NOT NULL DEFAULT 0
  )`,
  sql`CREATE TABLE forklens.quota_units (
    key text NOT NULL,
    unit text NOT NULL,
    holding text NOT NULL,
    node_id text NOT NULL,
    PRIMARY KEY (key, unit)
  )`,
  sql`CREATE INDEX quota_units_by_holding ON forklens.quota_units (holding)`,
  sql`CREATE INDEX quota_units_by_node ON forklens.quota_units (node_id)`,
];

/** What quotas bound, counted for all nodes. A node of the version before counts for itself. */
export const addQuotas: Migration = {
  readableBy: 1,
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
