import { Pool, TypeOverrides, types, type PoolClient } from 'pg';

export interface PoolOptions {
  /** `postgres://…`. A secret. */
  url: string;
  /** Most connections at a time. */
  maxConnections: number;
}

/** Time limits in milliseconds: for a connection, or a free one of the pool; and for the answer to a statement. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
/** Unused connections are closed after this time, in milliseconds. */
const IDLE_MS = 30_000;

/** Opens no connection yet. */
export function openPool({ url, maxConnections }: PoolOptions): Pool {
  const parsers = new TypeOverrides();
  // All whole numbers of the schema are far below 2^53.
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'forklens',
    types: parsers,
    verify: (client, done) => {
      requireDurableCommits(client).then(() => {
        done();
      }, done);
    },
  });
  // The statement in progress, or the next one, gets the error as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The setting of the role or the database is `synchronous_commit = off`: a crash could lose acknowledged changes. */
export class AsynchronousCommitError extends Error {
  override readonly name = 'AsynchronousCommitError';

  constructor() {
    super(
      'synchronous_commit is off for this role or database, so a crash could lose acknowledged changes: ' +
        'set it to on (ALTER ROLE … SET synchronous_commit = on)',
    );
  }
}

async function requireDurableCommits(client: Pick<PoolClient, 'query'>): Promise<void> {
  const { rows } = await client.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
  if (rows[0]?.synchronous_commit === 'off') throw new AsynchronousCommitError();
}
