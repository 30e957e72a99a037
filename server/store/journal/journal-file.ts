import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ApiError, systemLimit } from '../../api/errors';
import type { Journal } from '../../forks/ports';
import type { JournalContents, JournalEntry, KeptEntry } from '../../forks/writes/journal';
import { entryLine } from './line-format';
import { keptEntry, type JournalSource } from './stored-line';
import type { WrittenJournal } from './write-journal';

/** A journal that was written beside the one that there is. */
export interface PreparedJournal extends WrittenJournal {
  file: FileHandle;
  /** Puts it in the place of the other. */
  install: () => Promise<void>;
}

/**
 * Flag for opening a journal: each write is on disk when it returns, without a call of its own. On macOS that means the cache of the disk,
 * and Windows has none.
 */
export const WRITES_ARE_SYNCED = process.platform === 'linux' ? constants.O_DSYNC : 0;

/** The open journal of a fork; its file was opened with `WRITES_ARE_SYNCED`. */
export class JournalFile implements Journal {
  #source: JournalSource;
  #closed = false;

  /** @param size bytes that count */
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

  async append(entry: JournalEntry): Promise<KeptEntry> {
    if (this.#closed) {
      throw new ApiError('engineUnavailable', "the fork's engine ended; ask again");
    }
    const { file } = this.#source;
    const offset = this.size;
    const line = entryLine(entry);
    try {
      await file.appendFile(line);
      if (WRITES_ARE_SYNCED === 0) await file.datasync();
    } catch (error) {
      // Where that fails as well, what is left is torn, or whole and a change that was made after all.
      await file.truncate(offset).catch(() => undefined);
      throw systemLimit(error) ?? error;
    }
    this.size = offset + line.length;
    return keptEntry(entry, this.#source, { offset, size: line.length });
  }

  async rewrite(contents: JournalContents): Promise<void> {
    const { file, size, places, install } = await this.prepare(contents);
    const old = this.#source;
    // Until it is known which of the two is the journal, nothing may be written to either.
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
}
