import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { engineEnded } from '../../../api/errors';
import type { Lease } from '../../cluster/lease-keeper';
import type { Journal } from '../../../forks/life/ports';
import type { HistoryEntry, JournalContents, JournalEntry } from '../../../forks/writes/journal';
import type { Database } from '../database/database';
import { EntryRows } from './entry-rows';
import {
  countEntries,
  hasEntry,
  heldLease,
  insertEntries,
  movedLine,
  newLine,
  type EntryLine,
} from './journal-lines';
import { storedRowOf, type StoredRow } from './stored-row';
import { leaseLost } from './journal-errors';

/** What one statement of a rewrite inserts at most. */
const BATCH_ROWS = 256;
const BATCH_BYTES = 512 * 1024;

export interface PostgresJournalOptions {
  database: Database;
  nodeId: string;
  lease: Lease;
  rows: EntryRows;
  /** Number of entries. */
  entries: number;
  bytes: number;
  /** Removes what a rewrite leaves behind. */
  clean: () => Promise<void>;
  /** Gives the lease up. Never rejects. */
  release: () => Promise<void>;
}

/** The open journal of a fork in the database. Every change of it requires the lease, in its own transaction. */
export class PostgresJournal implements Journal {
  readonly #options: PostgresJournalOptions;
  #rows: EntryRows;
  #entries: number;
  #bytes: number;
  #isClosed = false;

  constructor(options: PostgresJournalOptions) {
    this.#options = options;
    this.#rows = options.rows;
    this.#entries = options.entries;
    this.#bytes = options.bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lost(): AbortSignal {
    return this.#options.lease.lost;
  }

  async append(entry: JournalEntry): Promise<HistoryEntry> {
    const { database, lease, nodeId } = this.#options;
    this.#requireOpen();
    const { generation } = this.#rows;
    const seq = this.#entries + 1;
    // A failure does not tell whether the entry was written. The journal stays closed; opening it again reads what was.
    this.#isClosed = true;
    const line = await newLine(database, lease.forkId, entry);
    const isNew = await insertEntries(database, lease, nodeId, {
      generation,
      from: seq,
      lines: [line],
    });
    if (!isNew && !(await hasEntry(database, lease, { generation, seq, line }))) {
      throw leaseLost(lease.forkId);
    }
    this.#isClosed = false;
    this.#entries = seq;
    this.#bytes += line.bytes;
    return this.#rows.keep(entry, { seq, bytes: line.bytes, payload: line.payload });
  }

  async rewrite(contents: JournalContents): Promise<void> {
    const { database, lease } = this.#options;
    this.#requireOpen();
    const draft = new EntryRows(database, lease.forkId, randomUUID());
    const { moved, bytes } = await this.#write(draft, contents.entries);
    this.#isClosed = true;
    await this.#install(draft, contents);
    this.#rows = draft;
    this.#entries = contents.entries.length;
    this.#bytes = bytes;
    for (const [stored, seq] of moved) stored.moveTo(draft, seq);
    this.#isClosed = false;
    await this.#options.clean();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.release();
  }

  /** Writes the entries of a draft in short transactions. */
  async #write(
    { generation }: EntryRows,
    entries: readonly HistoryEntry[],
  ): Promise<{ moved: Map<StoredRow, number>; bytes: number }> {
    const { database, lease, nodeId } = this.#options;
    const moved = new Map<StoredRow, number>();
    let [written, bytes, batched] = [0, 0, 0];
    let lines: EntryLine[] = [];
    const flush = async (): Promise<void> => {
      if (lines.length === 0) return;
      const batch = { generation, from: written + 1, lines };
      const isWhole =
        (await insertEntries(database, lease, nodeId, batch)) ||
        (await countEntries(database, lease.forkId, generation)) === written + lines.length;
      if (!isWhole) throw leaseLost(lease.forkId);
      written += lines.length;
      [lines, batched] = [[], 0];
    };
    for (const entry of entries) {
      const line = await movedLine(database, lease.forkId, entry);
      lines.push(line);
      bytes += line.bytes;
      batched += line.line.length;
      const own = storedRowOf(entry, lease.forkId);
      if (own) moved.set(own, written + lines.length);
      if (lines.length >= BATCH_ROWS || batched >= BATCH_BYTES) await flush();
    }
    await flush();
    return { moved, bytes };
  }

  /** Makes the draft the journal. @throws ApiError engineUnavailable without the lease */
  async #install(
    { generation }: EntryRows,
    { nextSnapshot, executed }: JournalContents,
  ): Promise<void> {
    const { database, lease, nodeId } = this.#options;
    const { numAffectedRows = 0n } = await database.repeatable((db) =>
      sql`UPDATE forklens.journals AS j
        SET generation = ${generation}::uuid, next_snapshot = ${nextSnapshot}, executed = ${executed}
        FROM ${heldLease(lease, nodeId)}
        WHERE j.fork_id = lease.fork_id`.execute(db),
    );
    if (numAffectedRows === 0n) throw leaseLost(lease.forkId);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw engineEnded();
  }
}
