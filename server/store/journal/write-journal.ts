import type { JournalContents, HistoryEntry } from '../../forks/writes/journal';
import { entryLine, headerLine } from './line-format';
import { StoredLine, type JournalSource } from './stored-line';

/** Size up to which lines are written together. */
const BATCH_BYTES = 1024 * 1024;

/** A journal written to a new file. */
export interface WrittenJournal {
  size: number;
  /** Offsets of the lines that stay on disk. */
  places: ReadonlyMap<StoredLine, number>;
}

/** Writes a journal to an empty file, with one batch in memory at a time. Copies large entries from their current location. */
export async function writeJournal(
  { forkId, file }: JournalSource,
  { entries, ...header }: JournalContents,
): Promise<WrittenJournal> {
  const places = new Map<StoredLine, number>();
  let batch = [headerLine(forkId, header)];
  let batched = batch[0]?.length ?? 0;
  let size = batched;
  for (const entry of entries) {
    if (batched >= BATCH_BYTES) {
      await file.appendFile(Buffer.concat(batch));
      batch = [];
      batched = 0;
    }
    const line = await lineOf(entry);
    if ('stored' in entry && entry.stored instanceof StoredLine) places.set(entry.stored, size);
    batch.push(line);
    batched += line.length;
    size += line.length;
  }
  await file.appendFile(Buffer.concat(batch));
  await file.sync();
  return { size, places };
}

async function lineOf(entry: HistoryEntry): Promise<Buffer> {
  if (!('stored' in entry)) return entryLine(entry);
  const { stored } = entry;
  return stored instanceof StoredLine ? stored.read() : entryLine(await stored.load());
}
