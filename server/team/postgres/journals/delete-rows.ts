import { sql } from 'kysely';
import type { Database } from '../database/database';

/** Rows that one transaction removes. */
const ROWS = 5_000;
const PARTS = 64;

/** Removes the entries of a fork's earlier generations, and the payloads that no entry uses, in short transactions. */
export async function deleteUnused(database: Database, forkId: string): Promise<void> {
  const current = sql`SELECT generation FROM forklens.journals WHERE fork_id = ${forkId}`;
  const removed = await deleteEntries(
    database,
    forkId,
    sql`(generation < (${current}) OR generation > (${current}))`,
  );
  if (removed === 0) return;
  await deleteParts(
    database,
    forkId,
    sql`NOT EXISTS (
      SELECT 1 FROM forklens.journal_entries AS e
      WHERE e.fork_id = p.fork_id AND e.payload = p.payload
    )`,
  );
}

/** Removes all rows of a fork's journal. The row of the journal is the last, so that an unfinished removal is found again. */
export async function deleteJournal(database: Database, forkId: string): Promise<void> {
  await deleteEntries(database, forkId, sql`true`);
  await deleteParts(database, forkId, sql`true`);
  await database.repeatable((db) =>
    db.deleteFrom('forklens.filters').where('fork_id', '=', forkId).execute(),
  );
  await database.repeatable((db) =>
    db.deleteFrom('forklens.leases').where('fork_id', '=', forkId).execute(),
  );
  await database.repeatable((db) =>
    db.deleteFrom('forklens.journals').where('fork_id', '=', forkId).execute(),
  );
}

type Condition = ReturnType<typeof sql>;

/** @returns the number of removed rows */
function deleteEntries(database: Database, forkId: string, which: Condition): Promise<number> {
  return deleteInBatches(
    database,
    ROWS,
    sql`DELETE FROM forklens.journal_entries
      WHERE fork_id = ${forkId} AND (generation, seq) IN (
        SELECT generation, seq FROM forklens.journal_entries
        WHERE fork_id = ${forkId} AND ${which} LIMIT ${ROWS}
      )`,
  );
}

async function deleteParts(database: Database, forkId: string, which: Condition): Promise<void> {
  await deleteInBatches(
    database,
    PARTS,
    sql`DELETE FROM forklens.journal_payloads
      WHERE fork_id = ${forkId} AND (payload, part) IN (
        SELECT payload, part FROM forklens.journal_payloads AS p
        WHERE fork_id = ${forkId} AND ${which} LIMIT ${PARTS}
      )`,
  );
}

async function deleteInBatches(
  database: Database,
  size: number,
  statement: ReturnType<typeof sql>,
): Promise<number> {
  for (let removed = 0; ;) {
    const { numAffectedRows = 0n } = await database.repeatable((db) => statement.execute(db));
    removed += Number(numAffectedRows);
    if (numAffectedRows < size) return removed;
  }
}
