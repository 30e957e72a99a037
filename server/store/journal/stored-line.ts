import type { FileHandle } from 'node:fs/promises';
import type { JournalEntry, HistoryEntry, StoredPayload } from '../../forks/writes/journal';
import { parseEntry, unusable } from './line-format';

/** An open journal. */
export interface JournalSource {
  forkId: string;
  file: FileHandle;
}

/** Lines up to this length stay in memory. */
const MAX_IN_MEMORY_BYTES = 256;

/** A line that stays on disk and is read again when it is needed. */
export class StoredLine implements StoredPayload {
  #source: JournalSource;
  #offset: number;

  /** @param bytes length, including the line feed */
  constructor(
    source: JournalSource,
    offset: number,
    readonly bytes: number,
  ) {
    this.#source = source;
    this.#offset = offset;
  }

  async load(): Promise<JournalEntry> {
    const line = await this.read();
    return parseEntry(line.subarray(0, -1)) ?? this.#damaged();
  }

  /** The line as stored, including the line feed. */
  async read(): Promise<Buffer> {
    const line = Buffer.allocUnsafe(this.bytes);
    const { bytesRead } = await this.#source.file.read(line, 0, this.bytes, this.#offset);
    return bytesRead === this.bytes ? line : this.#damaged();
  }

  /** Sets the new location of the line after the journal was rewritten. */
  moveTo(source: JournalSource, offset: number): void {
    this.#source = source;
    this.#offset = offset;
  }

  #damaged(): never {
    throw unusable(
      this.#source.forkId,
      `is damaged after byte ${this.#offset}: replace the file with a backup, or delete the fork`,
    );
  }
}

/**
 * The part of a journal entry that stays in memory.
 * @param size bytes of its line
 * @param store makes the reference to the payload, if the payload does not stay in memory
 */
export function historyEntry(
  entry: JournalEntry,
  size: number,
  store: () => StoredPayload,
): HistoryEntry {
  if (size <= MAX_IN_MEMORY_BYTES || (entry.op !== 'call' && entry.op !== 'send')) return entry;
  return {
    op: entry.op,
    ...('timestamp' in entry ? { timestamp: entry.timestamp } : {}),
    ...(entry.executed ? { executed: entry.executed } : {}),
    stored: store(),
  };
}
