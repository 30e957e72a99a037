import type { HistoryEntry, JournalEntry } from '../../../forks/writes/journal';
import { parseEntry } from '../../../store/journal/line-format';
import { historyEntry } from '../../../store/journal/stored-line';
import type { Database } from '../database/database';
import { damagedRow } from './journal-errors';
import { StoredRow } from './stored-row';

interface Row {
  seq: number;
  line: string;
  bytes: number;
  payload: string | null;
}

interface Page {
  from: number;
  lines: Promise<Map<number, string>>;
}

/** Rows that one query reads. */
const PAGE_ROWS = 256;
/** Parts of a payload that one query reads. */
const PAGE_PARTS = 8;

/** The entries of one generation of a fork's journal. */
export class EntryRows {
  /** The last page that was read for a payload: payloads are mostly read in order. */
  #page: Page | undefined;

  constructor(
    private readonly database: Database,
    readonly forkId: string,
    readonly generation: string,
  ) {}

  /**
   * Reads all entries, page by page. Large payloads stay in the database.
   * @returns the entries, and the size of their lines in bytes
   * @throws ApiError engineUnavailable if an entry is missing or damaged
   */
  async readAll(): Promise<{ entries: HistoryEntry[]; bytes: number }> {
    const entries: HistoryEntry[] = [];
    let bytes = 0;
    for (;;) {
      const page = await this.#read(entries.length + 1, PAGE_ROWS);
      for (const row of page) {
        if (row.seq !== entries.length + 1) this.damaged(entries.length + 1);
        const entry = parseEntry(Buffer.from(row.line)) ?? this.damaged(row.seq);
        entries.push(this.keep(entry, row));
        bytes += row.bytes;
      }
      if (page.length < PAGE_ROWS) return { entries, bytes };
    }
  }

  /** The part of an entry that stays in memory. */
  keep(entry: JournalEntry, { seq, bytes, payload }: Omit<Row, 'line'>): HistoryEntry {
    return historyEntry(entry, bytes, () => new StoredRow(this, seq, bytes, payload));
  }

  /** A line that is in its row. */
  async line(seq: number): Promise<string> {
    const page = this.#pageWith(seq);
    let isNeeded = false;
    try {
      const lines = await page.lines;
      // A reader in order does not need the page again after its last row.
      isNeeded = lines.has(seq + 1);
      return lines.get(seq) ?? this.damaged(seq);
    } finally {
      if (this.#page === page && !isNeeded) this.#page = undefined;
    }
  }

  #pageWith(seq: number): Page {
    const known = this.#page;
    if (known && seq >= known.from && seq < known.from + PAGE_ROWS) return known;
    const lines = this.#read(seq, PAGE_ROWS).then(
      (rows) => new Map(rows.map((row) => [row.seq, row.line])),
    );
    return (this.#page = { from: seq, lines });
  }

  /** A line that is in parts of its own. */
  async payload(seq: number, payload: string): Promise<string> {
    const parts: Buffer[] = [];
    for (;;) {
      const page = await this.database.repeatable((db) =>
        db
          .selectFrom('forklens.journal_payloads')
          .select(['part', 'data'])
          .where('fork_id', '=', this.forkId)
          .where('payload', '=', payload)
          .where('part', '>=', parts.length)
          .orderBy('part')
          .limit(PAGE_PARTS)
          .execute(),
      );
      for (const { part, data } of page) {
        if (part !== parts.length) this.damaged(seq);
        parts.push(data);
      }
      if (page.length < PAGE_PARTS) break;
    }
    return parts.length === 0 ? this.damaged(seq) : Buffer.concat(parts).toString('utf8');
  }

  /** @throws ApiError engineUnavailable */
  damaged(seq: number): never {
    throw damagedRow(this.forkId, seq);
  }

  #read(from: number, limit: number): Promise<Row[]> {
    return this.database.repeatable((db) =>
      db
        .selectFrom('forklens.journal_entries')
        .select(['seq', 'line', 'bytes', 'payload'])
        .where('fork_id', '=', this.forkId)
        .where('generation', '=', this.generation)
        .where('seq', '>=', from)
        .orderBy('seq')
        .limit(limit)
        .execute(),
    );
  }
}
