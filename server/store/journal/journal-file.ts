import type { FileHandle } from 'node:fs/promises';
import { engineEnded, systemLimit } from '../../api/errors';
import type { Journal } from '../../forks/life/ports';
import type { JournalContents, JournalEntry, HistoryEntry } from '../../forks/writes/journal';
import { entryLine } from './line-format';
import { historyEntry, StoredLine, type JournalSource } from './stored-line';
import type { WrittenJournal } from './write-journal';

/** A new journal, written beside the current one. */
export interface PreparedJournal extends WrittenJournal {
  file: FileHandle;
  /** Replaces the current journal with this one. */
  install: () => Promise<void>;
}

/**
 * Entries that are synced with the next one, or after a short time. They are written before they are acknowledged, so that they survive
 * every end of the process; a loss of power may take the fork back to the entry before.
 */
const SYNCED_LATER: ReadonlySet<JournalEntry['op']> = new Set(['snapshot', 'revert']);
/** Longest time until they are synced, in milliseconds. */
const SYNC_MS = 100;

/** The open journal of a fork. */
export class JournalFile implements Journal {
  #source: JournalSource;
  #closed = false;
  /** Set while written entries are not synced. */
  #syncTimer: NodeJS.Timeout | undefined;
  /** Why entries could not be synced; every later append fails. */
  #syncFailure: Error | undefined;

  /** @param size bytes of the valid part */
  constructor(
    source: JournalSource,
    private size: number,
    private readonly prepare: (contents: JournalContents) => Promise<PreparedJournal>,
  ) {
    this.#source = source;
  }

  get bytes(): number {
    return this.size;
  }

  async append(entry: JournalEntry): Promise<HistoryEntry> {
    this.#requireOpen();
    const { file } = this.#source;
    const offset = this.size;
    const line = entryLine(entry);
    try {
      if (this.#syncFailure) throw this.#syncFailure;
      await file.appendFile(line);
      if (SYNCED_LATER.has(entry.op)) this.#syncSoon();
      else await this.#sync();
    } catch (error) {
      // If truncating fails too, the file ends with a torn line, which the next start drops, or with a complete entry, which then
      // counts.
      await file.truncate(offset).catch(() => undefined);
      throw systemLimit(error) ?? error;
    }
    this.size = offset + line.length;
    const { length } = line;
    return historyEntry(entry, length, () => new StoredLine(this.#source, offset, length));
  }

  async rewrite(contents: JournalContents): Promise<void> {
    this.#requireOpen();
    const { file, size, places, install } = await this.prepare(contents);
    this.#cancelSync();
    const old = this.#source;
    // Blocks writes until it is certain which of the two files is the journal.
    this.#closed = true;
    this.#source = { ...old, file };
    this.size = size;
    await old.file.close();
    await install();
    for (const [line, offset] of places) line.moveTo(this.#source, offset);
    this.#closed = false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // The entries are acknowledged and written, so that a failure concerns no request.
    if (this.#syncTimer) await this.#sync().catch(() => undefined);
    await this.#source.file.close();
  }

  #syncSoon(): void {
    this.#syncTimer ??= setTimeout(() => {
      this.#sync().catch((error: unknown) => (this.#syncFailure = error as Error));
    }, SYNC_MS).unref();
  }

  async #sync(): Promise<void> {
    this.#cancelSync();
    await this.#source.file.datasync();
  }

  #cancelSync(): void {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
  }

  #requireOpen(): void {
    if (this.#closed) throw engineEnded();
  }
}
