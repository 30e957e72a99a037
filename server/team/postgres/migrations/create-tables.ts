import { sql } from 'kysely';
import type { Migration } from './migration';

const STATEMENTS = [
  sql`CREATE TABLE forklens.users (
    user_id text PRIMARY KEY,
    nickname text NOT NULL,
    email text NOT NULL UNIQUE,
    create_time text NOT NULL
  )`,
  sql`CREATE TABLE forklens.access_keys (
    key_id text PRIMARY KEY,
    user_id text NOT NULL,
    label text NOT NULL,
    scopes text[] NOT NULL,
    hash text NOT NULL,
    create_time text NOT NULL
  )`,
  sql`CREATE TABLE forklens.projects (
    project_id text PRIMARY KEY,
    owner_id text NOT NULL,
    name text NOT NULL,
    create_time text NOT NULL
  )`,
  sql`CREATE INDEX projects_by_owner ON forklens.projects (owner_id)`,
  sql`CREATE TABLE forklens.collaborators (
    project_id text NOT NULL,
    user_id text NOT NULL,
    ordinal integer NOT NULL,
    PRIMARY KEY (project_id, user_id)
  )`,
  sql`CREATE INDEX collaborators_by_user ON forklens.collaborators (user_id)`,
  sql`CREATE TABLE forklens.usage (
    project_id text NOT NULL,
    day text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (project_id, day)
  )`,
  sql`CREATE TABLE forklens.forks (
    fork_id text PRIMARY KEY,
    project_id text NOT NULL,
    secret text NOT NULL,
    create_time text NOT NULL,
    counted bigint,
    record text NOT NULL
  )`,
  sql`CREATE INDEX forks_by_project ON forklens.forks (project_id)`,
  sql`CREATE INDEX forks_by_secret ON forklens.forks (secret)`,
  sql`CREATE TABLE forklens.labels (
    user_id text PRIMARY KEY,
    labels text NOT NULL
  )`,
  sql`CREATE TABLE forklens.abis (
    user_id text NOT NULL,
    chain text NOT NULL,
    address text NOT NULL,
    abi text NOT NULL,
    PRIMARY KEY (user_id, chain, address)
  )`,
  sql`CREATE TABLE forklens.leases (
    fork_id text PRIMARY KEY,
    node_id text NOT NULL,
    epoch bigint NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX leases_by_node ON forklens.leases (node_id)`,
  sql`CREATE TABLE forklens.journals (
    fork_id text PRIMARY KEY,
    state text NOT NULL,
    generation uuid NOT NULL,
    next_snapshot bigint NOT NULL,
    executed bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`CREATE TABLE forklens.journal_entries (
    fork_id text NOT NULL,
    generation uuid NOT NULL,
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    line text NOT NULL,
    bytes bigint NOT NULL,
    payload uuid,
    PRIMARY KEY (fork_id, generation, seq)
  )`,
  sql`CREATE TABLE forklens.journal_payloads (
    fork_id text NOT NULL,
    payload uuid NOT NULL,
    part integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (fork_id, payload, part)
  )`,
];

/** The tables of the first version. */
export const createTables: Migration = {
  readableBy: 1,
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
