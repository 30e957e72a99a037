import { Kysely, sql, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { asApiError, failureOf, NotConnectedError, reasonOf } from './failures';
import { migrate, NewerDatabaseError } from './migrate';
import { MIGRATIONS } from '../migrations/migrations';
import { AsynchronousCommitError, openPool, type PoolOptions } from './open-pool';
import { PoolDialect } from './pool-dialect';
import type { Schema } from './schema';

/** Time in which a failed task is repeated, in milliseconds. */
const RETRY_MS = 1_500;
const FIRST_PAUSE_MS = 25;
/** 14.0 in the notation of `server_version_num`. */
const OLDEST_SERVER = 140_000;

export interface Connections {
  used: number;
  idle: number;
  waiting: number;
}

export type Db = Kysely<Schema>;

/**
 * The database of the service. All methods throw ApiError `databaseUnavailable` if it does not answer, and `storageFull` if its disk is
 * full.
 */
export class Database {
  readonly #db: Db;
  readonly #pool: Pool;

  private constructor(options: PoolOptions) {
    this.#pool = openPool(options);
    this.#db = new Kysely<Schema>({ dialect: new PoolDialect(this.#pool) });
  }

  /**
   * Connects, and creates or migrates the tables.
   * @throws Error with a message for the user, without the URL
   */
  static async open(options: PoolOptions): Promise<Database> {
    const database = Database.beside(options);
    try {
      await database.repeatable(requireServer);
      await database.once((connection) => migrate(connection, MIGRATIONS));
      return database;
    } catch (error) {
      await database.close();
      throw new Error(`cannot use the database: ${startProblem(error)}`, { cause: error });
    }
  }

  /** Another pool on the same database, whose tasks do not wait for those of this one. Opens no connection yet. */
  static beside(options: PoolOptions): Database {
    return new Database(options);
  }

  /** Connections in use and not, and statements that wait for one. */
  get connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Resolves when the database has answered. */
  async ping(): Promise<void> {
    await this.once((db) => sql`SELECT 1`.execute(db));
  }

  /** Runs a task that has the same effect if it is repeated. It is repeated after any failure of the connection, for a short time. */
  repeatable<T>(task: (db: Db) => Promise<T>): Promise<T> {
    return this.#run(() => task(this.#db), true);
  }

  /** Runs a task. It is repeated only after failures that certainly left nothing behind. */
  once<T>(task: (db: Db) => Promise<T>): Promise<T> {
    return this.#run(() => task(this.#db), false);
  }

  /** Runs a task as a transaction, like `once`. */
  transact<T>(task: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return this.once((db) => db.transaction().execute(task));
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  async #run<T>(task: () => Promise<T>, isRepeatable: boolean): Promise<T> {
    const end = performance.now() + RETRY_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      try {
        return await task();
      } catch (error) {
        const failure = failureOf(error);
        const isSafe =
          failure === 'not sent' ||
          failure === 'rolled back' ||
          (failure === 'lost' && isRepeatable);
        // With jitter, so that nodes do not connect all at once after an outage.
        const wait = pause * (0.5 + Math.random());
        if (!isSafe || performance.now() + wait > end) throw asApiError(error);
        await delay(wait);
      }
    }
  }
}

/** The setting is not read from `server_version_num` where another product answers: its numbers mean something else. */
async function requireServer(db: Db): Promise<void> {
  const { rows } = await sql<{ number: number; version: string }>`
    SELECT current_setting('server_version_num')::int AS number, version() AS version`.execute(db);
  const { number = 0, version = '' } = rows[0] ?? {};
  if (number < OLDEST_SERVER && version.startsWith('PostgreSQL')) {
    throw new OldServerError(number);
  }
}

class OldServerError extends Error {
  constructor(number: number) {
    super(
      `it is PostgreSQL ${Math.floor(number / 10_000)}; accepted: PostgreSQL 14 or later, or a database with its protocol`,
    );
  }
}

/** Reasons why a connection is refused, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'it does not accept the user and password',
  '28000': 'it does not accept the user',
  '3D000': 'there is no such database',
  '42501': 'the user may not create or use the schema "forklens"',
  '53300': 'it has no free connection',
  '57P03': 'it is starting or stopping',
};

/** The inner error of a failed start, in words that contain nothing of the URL. */
function startProblem(error: unknown): string {
  const outer = error as { cause?: unknown };
  const chain = [outer.cause instanceof NotConnectedError ? outer.cause.cause : undefined];
  chain.push(outer.cause, error);
  for (const one of chain) {
    if (one instanceof AsynchronousCommitError) return one.message;
    if (one instanceof NewerDatabaseError || one instanceof OldServerError) return one.message;
    const refusal = REFUSALS[String((one as { code?: unknown } | undefined)?.code)];
    if (refusal !== undefined) return refusal;
  }
  return `it does not answer${reasonOf(outer.cause ?? error)}`;
}
