import type { Kysely } from 'kysely';

/**
 * A step from one version of the schema to the next. Released migrations never change. Nodes of the version before run beside the new
 * ones, so a migration only adds tables, indexes, and columns that are nullable or have a default; what a version no longer uses is
 * removed by a later one, which raises `readableBy`.
 */
export interface Migration {
  /** The oldest schema version whose services may use the schema after this step. */
  readableBy: number;
  up: (db: Kysely<unknown>) => Promise<void>;
}
