import { sql } from 'kysely';
import type { Migration } from './migration';

/** Filters that survive a takeover. A node of the version before keeps its filters to itself. */
export const addFilters: Migration = {
  readableBy: 1,
  up: async (db) => {
    await sql`CREATE TABLE forklens.filters (
      fork_id text NOT NULL,
      filter_id text NOT NULL,
      topic text NOT NULL,
      position bigint NOT NULL,
      last_sent text,
      changed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (fork_id, filter_id)
    )`.execute(db);
  },
};
