import type { HistoryEntry, JournalEntry, StoredPayload } from '../../../forks/writes/journal';
import { parseEntry } from '../../../store/journal/line-format';
import type { EntryRows } from './entry-rows';

/** A payload that stays in the database and is read again when it is needed. */
export class StoredRow implements StoredPayload {
  #rows: EntryRows;
  #seq: number;

  /** @param bytes length of the line, including the line feed */
  constructor(
    rows: EntryRows,
    seq: number,
    readonly bytes: number,
    /** Id of the payload, if it is not in the row. */
    readonly payload: string | null,
  ) {
    this.#rows = rows;
    this.#seq = seq;
  }

  /** Whether the payload is one of this fork. */
  isOf(forkId: string): boolean {
    return this.#rows.forkId === forkId;
  }

  async load(): Promise<JournalEntry> {
    return parseEntry(Buffer.from(await this.line())) ?? this.#rows.damaged(this.#seq);
  }

  /** The line as a journal file has it, without the line feed. */
  line(): Promise<string> {
    return this.payload === null
      ? this.#rows.line(this.#seq)
      : this.#rows.payload(this.#seq, this.payload);
  }

  /** Sets the new location of the row after the journal was rewritten. */
  moveTo(rows: EntryRows, seq: number): void {
    this.#rows = rows;
    this.#seq = seq;
  }
}

/** The row of an entry whose payload stays in the database, in the journal of this fork; undefined for all others. */
export function storedRowOf(entry: HistoryEntry, forkId: string): StoredRow | undefined {
  if (!('stored' in entry)) return undefined;
  const { stored } = entry;
  return stored instanceof StoredRow && stored.isOf(forkId) ? stored : undefined;
}
