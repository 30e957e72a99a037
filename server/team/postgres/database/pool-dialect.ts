import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { failureOf, NotConnectedError } from './failures';

/** Kysely on a pool of `pg`. A connection that failed is closed, and a failure to connect is recognized: nothing was sent then. */
export class PoolDialect implements Dialect {
  constructor(private readonly pool: Pool) {}

  createDriver(): Driver {
    return new PoolDriver(this.pool);
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

class PoolDriver implements Driver {
  constructor(private readonly pool: Pool) {}

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PoolConnection> {
    try {
      return new PoolConnection(await this.pool.connect());
    } catch (error) {
      throw new NotConnectedError('cannot connect to the database', { cause: error });
    }
  }

  async beginTransaction(
    connection: PoolConnection,
    { isolationLevel = 'read committed' }: TransactionSettings,
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`begin isolation level ${isolationLevel}`));
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    // The database has undone the transaction of a lost connection.
    if (!connection.isLost) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return this.pool.end();
  }
}

/** A text of the database cannot contain NUL. Ids of clients can, and name nothing then. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

class PoolConnection implements DatabaseConnection {
  isLost = false;

  constructor(private readonly client: PoolClient) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      // Without a name, so that a pooler in transaction mode can give the next query to another server process.
      const { rows, rowCount } = await this.client.query<Row & object>({
        text: sql,
        values: parameters.map(storable),
      });
      return { rows, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) };
    } catch (error) {
      this.isLost ||= failureOf(error) === 'lost';
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('results are read by pages');
  }

  release(): void {
    this.client.release(this.isLost);
  }
}
