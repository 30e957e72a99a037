import type { JournalContents, HistoryEntry } from '../../forks/writes/journal';
import { damaged, parseEntry, parseHeader, type Header } from './line-format';
import { readLines } from './read-lines';
import { historyEntry, StoredLine, type JournalSource } from './stored-line';

/** Content of a journal, and the size of its valid part. */
export interface ReadJournal {
  contents: JournalContents;
  /** Bytes without a torn end. A crash can leave a part of the last record, or zeros in its place. */
  complete: number;
}

/**
 * Reads a journal line by line. Large entries stay on disk.
 * @throws ApiError engineUnavailable for a damaged journal, or one of a newer version
 */
export async function readJournal(source: JournalSource): Promise<ReadJournal> {
  const { forkId } = source;
  const entries: HistoryEntry[] = [];
  let header: Header | undefined;
  let complete = 0;
  let number = 0;
  let isTorn = false;
  for await (const line of readLines(source.file)) {
    if (isTorn) throw damaged(forkId, number);
    number++;
    isTorn = line.hasZero;
    if (isTorn) continue;
    const { bytes = NOTHING } = line;
    if (header) {
      const entry = parseEntry(bytes);
      if (!entry) throw damaged(forkId, number);
      const { offset, size } = line;
      entries.push(historyEntry(entry, size, () => new StoredLine(source, offset, size)));
    } else header = parseHeader(forkId, bytes);
    complete = line.offset + line.size;
  }
  if (!header) throw damaged(forkId, 1);
  return { contents: { ...header, entries }, complete };
}

/**
 * Measures the readable part of a journal, from its beginning.
 * @throws ApiError engineUnavailable if its first line is damaged or of a newer version
 */
export async function wholePart({
  forkId,
  file,
}: JournalSource): Promise<{ entries: number; bytes: number }> {
  let part: { entries: number; bytes: number } | undefined;
  for await (const { bytes = NOTHING, offset, size } of readLines(file)) {
    if (!part) {
      parseHeader(forkId, bytes);
      part = { entries: 0, bytes: size };
    } else if (parseEntry(bytes)) part = { entries: part.entries + 1, bytes: offset + size };
    else break;
  }
  if (!part) throw damaged(forkId, 1);
  return part;
}

const NOTHING = Buffer.alloc(0);
