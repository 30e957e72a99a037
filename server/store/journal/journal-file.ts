import type { FileHandle } from 'node:fs/promises';
import { engineEnded, systemLimit } from '../../api/errors';
import type { Journal } from '../../forks/ports';
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

/** The open journal of a fork. */
export class JournalFile implements Journal {
  #source: JournalSource;
  #closed = false;

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
      await file.appendFile(line);
      await file.datasync();
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
    await this.#source.file.close();
  }

  #requireOpen(): void {
    if (this.#closed) throw engineEnded();
  }
}
