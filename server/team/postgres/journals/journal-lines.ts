import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Lease } from '../../cluster/lease-keeper';
import { wholeEntry, type HistoryEntry, type JournalEntry } from '../../../forks/writes/journal';
import { entryLine } from '../../../store/journal/line-format';
import type { Database } from '../database/database';
import { storedRowOf } from './stored-row';

/** Bytes up to which a line is in its row. */
const MAX_ROW_BYTES = 8 * 1024;
/** Bytes of a part of a longer line: below the sizes that databases of the protocol recommend for a row. */
const PART_BYTES = 512 * 1024;

/** An entry in the form of its row. */
export interface EntryLine {
  line: string;
  bytes: number;
  payload: string | null;
}

/** The form of an entry that is not in the database yet. Writes a large payload, which counts for nothing until an entry refers to it. */
export async function newLine(
  database: Database,
  forkId: string,
  entry: JournalEntry,
): Promise<EntryLine> {
  const whole = entryLine(entry);
  const bytes = whole.length;
  if (bytes <= MAX_ROW_BYTES || (entry.op !== 'call' && entry.op !== 'send')) {
    return { line: withoutLineFeed(whole).toString(), bytes, payload: null };
  }
  const payload = randomUUID();
  const content = withoutLineFeed(whole);
  for (let part = 0; part * PART_BYTES < content.length; part++) {
    const data = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await database.repeatable((db) =>
      db
        .insertInto('forklens.journal_payloads')
        .values({ fork_id: forkId, payload, part, data })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
  return { line: headLine(entry), bytes, payload };
}

/** The form of an entry in another generation, or in the journal of another fork. */
export async function movedLine(
  database: Database,
  forkId: string,
  entry: HistoryEntry,
): Promise<EntryLine> {
  const own = storedRowOf(entry, forkId);
  if (!own) return newLine(database, forkId, await wholeEntry(entry));
  const { bytes, payload } = own;
  const line = payload === null ? await own.line() : headLine(entry);
  return { line, bytes, payload };
}

const withoutLineFeed = (line: Buffer): Buffer => line.subarray(0, -1);

/** The line of an entry without its payload. */
function headLine({
  op,
  executed,
  ...entry
}: Pick<JournalEntry, 'op' | 'executed'> & { timestamp?: number | undefined }): string {
  const { timestamp } = entry;
  const head = {
    op,
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(executed ? { executed } : {}),
  };
  return withoutLineFeed(entryLine(head as JournalEntry)).toString();
}

/**
 * The row of a lease, for a statement that requires it: no row if the lease is not the fork's newest or has expired. The lock on the row
 * delays a takeover until the statement is committed.
 */
export const heldLease = ({ forkId, epoch }: Lease, nodeId: string): RawBuilder<unknown> => sql`(
    SELECT fork_id FROM forklens.leases
    WHERE fork_id = ${forkId} AND node_id = ${nodeId} AND epoch = ${epoch} AND expires_at > now()
    FOR SHARE
  ) AS lease`;

/**
 * Inserts entries if the lease is the fork's newest and has not expired. A repetition inserts nothing.
 * @returns whether all rows were inserted
 */
export async function insertEntries(
  database: Database,
  lease: Lease,
  nodeId: string,
  { generation, from, lines }: { generation: string; from: number; lines: readonly EntryLine[] },
): Promise<boolean> {
  const { forkId, epoch } = lease;
  const { numAffectedRows } = await database.repeatable((db) =>
    sql`INSERT INTO forklens.journal_entries (fork_id, generation, seq, epoch, line, bytes, payload)
      SELECT ${forkId}, ${generation}::uuid, e.seq, ${epoch}::bigint, e.line, e.bytes, e.payload
      FROM ${heldLease(lease, nodeId)}, unnest(
        ${lines.map((_, index) => from + index)}::bigint[],
        ${lines.map(({ line }) => line)}::text[],
        ${lines.map(({ bytes }) => bytes)}::bigint[],
        ${lines.map(({ payload }) => payload)}::uuid[]
      ) AS e (seq, line, bytes, payload)
      ON CONFLICT DO NOTHING`.execute(db),
  );
  return numAffectedRows === BigInt(lines.length);
}

/** Whether an entry was inserted under this lease: an earlier attempt may have succeeded without an answer. */
export async function hasEntry(
  database: Database,
  { forkId, epoch }: Lease,
  { generation, seq, line }: { generation: string; seq: number; line: EntryLine },
): Promise<boolean> {
  const row = await database.repeatable((db) =>
    db
      .selectFrom('forklens.journal_entries')
      .select(['epoch', 'line', 'payload'])
      .where('fork_id', '=', forkId)
      .where('generation', '=', generation)
      .where('seq', '=', seq)
      .executeTakeFirst(),
  );
  return row?.epoch === epoch && row.line === line.line && row.payload === line.payload;
}

export async function countEntries(
  database: Database,
  forkId: string,
  generation: string,
): Promise<number> {
  const { count } = await database.repeatable((db) =>
    db
      .selectFrom('forklens.journal_entries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('fork_id', '=', forkId)
      .where('generation', '=', generation)
      .executeTakeFirstOrThrow(),
  );
  return count;
}
