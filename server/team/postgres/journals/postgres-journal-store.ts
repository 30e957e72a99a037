import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { LeaseKeeper } from '../../cluster/lease-keeper';
import type { Journal, JournalSnapshot, JournalStore } from '../../../forks/life/ports';
import type { JournalContents } from '../../../forks/writes/journal';
import type { Database } from '../database/database';
import type { JournalState } from '../database/schema';
import { EntryRows } from './entry-rows';
import { PostgresJournal } from './postgres-journal';
import { deleteJournal, deleteUnused } from './delete-rows';
import { missingJournal, unreadableJournal } from './journal-errors';

export interface PostgresJournalStoreOptions {
  database: Database;
  nodeId: string;
  leases: LeaseKeeper;
  warn: (facts: object, message: string) => void;
}

/** Readings of a journal that is rewritten at the same time. */
const MAX_READINGS = 5;

/**
 * The journals of forks in the database. An append is one statement, which checks the lease of this node. Journals are read by pages, and
 * rewritten as a new generation of rows, so that no transaction is long.
 */
export class PostgresJournalStore implements JournalStore {
  /** Snapshots that are in use, by fork: their rows stay. */
  readonly #reading = new Map<string, number>();

  constructor(private readonly options: PostgresJournalStoreOptions) {}

  async create(forkId: string): Promise<void> {
    await this.#database.repeatable((db) =>
      db
        .insertInto('forklens.journals')
        .values({
          fork_id: forkId,
          state: 'creating',
          generation: randomUUID(),
          next_snapshot: 0,
          executed: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  confirm(forkId: string): Promise<void> {
    return this.#setState(forkId, 'ready');
  }

  async read(forkId: string): Promise<JournalSnapshot> {
    this.#reading.set(forkId, (this.#reading.get(forkId) ?? 0) + 1);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      const others = (this.#reading.get(forkId) ?? 1) - 1;
      if (others > 0) this.#reading.set(forkId, others);
      else this.#reading.delete(forkId);
      return Promise.resolve();
    };
    try {
      const { contents, bytes } = await this.#readWhole(forkId);
      return { contents, bytes, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async open(forkId: string): Promise<{ journal: Journal; contents: JournalContents }> {
    const { leases, nodeId } = this.options;
    const lease = await leases.hold(forkId);
    const release = (): Promise<void> => leases.release(lease);
    try {
      // Entries that were appended before the lease was taken are committed now.
      const { contents, rows, bytes } = await this.#readWhole(forkId);
      await this.#clean(forkId);
      const journal = new PostgresJournal({
        database: this.#database,
        nodeId,
        lease,
        rows,
        bytes,
        release,
        entries: contents.entries.length,
        clean: () => this.#clean(forkId),
      });
      return { journal, contents };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** @throws ApiError forkElsewhere while another node runs the fork */
  async remove(forkId: string, forget: () => Promise<void>): Promise<void> {
    const { leases } = this.options;
    const lease = await leases.hold(forkId);
    try {
      await this.#setState(forkId, 'deleted');
      await forget().catch(async (error: unknown) => {
        await this.#setState(forkId, 'ready').catch(() => undefined); // the next start does it
        throw error;
      });
      await this.#deleteLater(forkId);
    } finally {
      await leases.release(lease);
    }
  }

  /** The database knows which forks there are: other nodes may create some. */
  async tidy(): Promise<void> {
    const rows = await this.#database.repeatable((db) =>
      db
        .selectFrom('forklens.journals as j')
        .leftJoin('forklens.forks as f', 'f.fork_id', 'j.fork_id')
        .select(['j.fork_id', 'j.state', 'f.fork_id as known'])
        .select(sql<boolean>`j.created_at < now() - ${UNFINISHED}::interval`.as('isOld'))
        .where((eb) => eb.or([eb('j.state', '!=', 'ready'), eb('f.fork_id', 'is', null)]))
        .execute(),
    );
    for (const { fork_id: forkId, state, known, isOld } of rows) {
      if (known !== null) await this.#setState(forkId, 'ready');
      else if (state === 'ready') {
        this.options.warn({ forkId }, 'no fork has this journal; it is kept');
      } else if (state === 'deleted' || isOld) await this.#deleteLater(forkId);
    }
  }

  get #database(): Database {
    return this.options.database;
  }

  async #setState(forkId: string, state: JournalState): Promise<void> {
    await this.#database.repeatable((db) =>
      db.updateTable('forklens.journals').set({ state }).where('fork_id', '=', forkId).execute(),
    );
  }

  /** Reads a journal, and reads it again if another node rewrote it in the meantime. */
  async #readWhole(
    forkId: string,
  ): Promise<{ contents: JournalContents; rows: EntryRows; bytes: number }> {
    for (let reading = 1; reading <= MAX_READINGS; reading++) {
      const head = await this.#head(forkId);
      if (!head) throw missingJournal(forkId);
      const rows = new EntryRows(this.#database, forkId, head.generation);
      const outcome = await rows.readAll().catch((error: unknown) => ({ error }));
      const after = await this.#head(forkId);
      if (after?.generation !== head.generation) continue;
      if ('error' in outcome) throw outcome.error;
      const { next_snapshot: nextSnapshot, executed } = head;
      const { entries, bytes } = outcome;
      return { contents: { nextSnapshot, executed, entries }, rows, bytes };
    }
    throw unreadableJournal(forkId, 'changed while it was read; try again');
  }

  #head(forkId: string) {
    return this.#database.repeatable((db) =>
      db
        .selectFrom('forklens.journals')
        .select(['generation', 'next_snapshot', 'executed'])
        .where('fork_id', '=', forkId)
        .executeTakeFirst(),
    );
  }

  /** Removes rows of earlier generations, if nobody reads them. They count for nothing, so a failure does no harm. */
  async #clean(forkId: string): Promise<void> {
    if (this.#reading.has(forkId)) return;
    await deleteUnused(this.#database, forkId).catch((error: unknown) => {
      this.options.warn({ forkId, err: error }, 'unused entries of a journal were not removed');
    });
  }

  /** The fork is gone, so a failure does no harm: the next start removes the rest. */
  async #deleteLater(forkId: string): Promise<void> {
    await deleteJournal(this.#database, forkId).catch((error: unknown) => {
      this.options.warn({ forkId, err: error }, 'the journal of a deleted fork was not removed');
    });
  }
}

/** Age of a creation that a killed node left unfinished. */
const UNFINISHED = '1 hour';
