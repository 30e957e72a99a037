import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { auditEntrySchema } from '../../api/audit';
import { makeDirectory } from '../../kernel/files/make-directory';
import { readIfThere } from '../../kernel/files/recoverable-file';
import type { AuditFilter, AuditRecord, AuditStore } from '../../projects/ports';

/** Size at which a file is full, in bytes. */
const FILE_BYTES = 8 * 1024 * 1024;
/** Files that are kept besides the one that grows. */
const OLDER_FILES = 7;

/** The audit log in files of JSON lines, which only grow. A full one is renamed; the oldest is removed. */
export class AuditFiles implements AuditStore {
  #writing: Promise<void> = Promise.resolve();
  dropped: Date | undefined;
  /** Whether the last write may have ended in the middle of a line. */
  #isTorn = true;

  constructor(
    private readonly folder: string,
    private readonly fileBytes = FILE_BYTES,
  ) {}

  append(record: AuditRecord): Promise<void> {
    const written = this.#writing.then(() => this.#write(`${JSON.stringify(record)}\n`));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async list({ limit, before, ...filter }: AuditFilter): Promise<readonly AuditRecord[]> {
    await this.#writing;
    const found: AuditRecord[] = [];
    for (let age = 0; age <= OLDER_FILES && found.length < limit; age++) {
      const text = (await readIfThere(this.#path(age))) ?? '';
      for (const record of text.split('\n').reverse().flatMap(parsed)) {
        if (found.length === limit) break;
        if (before !== undefined && record.id >= before) continue;
        if (isWanted(record, filter)) found.push(record);
      }
    }
    return found;
  }

  /** Resolves when all entries are in the files. */
  settled(): Promise<void> {
    return this.#writing;
  }

  async #write(line: string): Promise<void> {
    const path = this.#path(0);
    await makeDirectory(this.folder, 0o700);
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= this.fileBytes) {
      // A file's last entry is its youngest one.
      const oldest = await stat(this.#path(OLDER_FILES)).catch(ignoreMissing);
      if (oldest) this.dropped = oldest.mtime;
      for (let age = OLDER_FILES; age > 0; age--) {
        await rename(this.#path(age - 1), this.#path(age)).catch(ignoreMissing);
      }
    }
    const text = this.#isTorn ? `\n${line}` : line;
    this.#isTorn = true;
    await appendFile(path, text, { mode: 0o600 });
    this.#isTorn = false;
  }

  #path(age: number): string {
    return join(this.folder, age === 0 ? 'audit.jsonl' : `audit.${age}.jsonl`);
  }
}

function isWanted(
  { userId, ownerId, action, projectId }: AuditRecord,
  filter: Omit<AuditFilter, 'limit' | 'before'>,
): boolean {
  const { reader } = filter;
  return (
    (reader === undefined || userId === reader || ownerId === reader) &&
    (filter.action === undefined || action === filter.action) &&
    (filter.project === undefined || projectId === filter.project)
  );
}

const recordSchema = auditEntrySchema.extend({
  userId: z.string().optional(),
  ownerId: z.string().optional(),
}) satisfies z.ZodType<AuditRecord>;

/** A line that a killed process did not complete, or that is damaged, counts for nothing. */
function parsed(line: string): AuditRecord[] {
  if (line === '') return [];
  try {
    return [recordSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
