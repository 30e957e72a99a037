import { sql } from 'kysely';
import type { Migration } from './migration';

const STATEMENTS = [
  sql`CREATE TABLE forklens.nodes (
    node_id text PRIMARY KEY,
    url text,
    version text NOT NULL,
    capacity integer NOT NULL,
    engines integer NOT NULL,
    waiting integer NOT NULL,
    draining boolean NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    heartbeat_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`CREATE TABLE forklens.cluster (
    id integer PRIMARY KEY CHECK (id = 1),
    secret text NOT NULL
  )`,
  sql`CREATE TABLE forklens.events (
    writer text NOT NULL,
    seq bigint NOT NULL,
    event text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (writer, seq)
  )`,
  sql`CREATE INDEX events_by_time ON forklens.events (created_at)`,
];

/** Nodes, and what they share. A node of the version before is in no list: its forks are not passed on to, and wait for its lease. */
export const addNodes: Migration = {
  readableBy: 1,
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
