import { mkdir, open, readFile, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../api/errors';
import type { JournalEntry } from '../forks/journal';
import type { Journal, JournalStore } from '../forks/ports';

/** One file per fork, one line of JSON per entry; on disk before it counts. */
export class JournalFiles implements JournalStore {
  /** @param warn told of a last record that a crash cut off */
  constructor(
    private readonly folder: string,
    private readonly warn: (facts: object, message: string) => void,
  ) {}

  async open(forkId: string): Promise<{ journal: Journal; entries: readonly JournalEntry[] }> {
    await mkdir(this.folder, { recursive: true });
    const path = this.#path(forkId);
    const text = await readFile(path).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    const complete = text.lastIndexOf('\n') + 1;
    if (complete < text.length) {
      // It was never acknowledged: its line would be complete.
      await truncate(path, complete);
      this.warn({ forkId, bytes: text.length - complete }, 'dropped the torn end of a journal');
    }
    const lines = text.subarray(0, complete).toString('utf8').split('\n').slice(0, -1);
    const entries = lines.map((line, i) => parse(forkId, line, i + 1));
    const journal = new JournalFile(await open(path, 'a', 0o600));
    if (text.length === 0) await syncFolder(this.folder);
    return { journal, entries };
  }

  async remove(forkId: string): Promise<void> {
    await rm(this.#path(forkId), { force: true });
  }

  #path(forkId: string): string {
    return join(this.folder, `${forkId}.journal`);
  }
}

class JournalFile implements Journal {
  constructor(private readonly file: FileHandle) {}

  async append(entry: JournalEntry): Promise<void> {
    await this.file.appendFile(`${JSON.stringify(entry)}\n`);
    await this.file.datasync();
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

function parse(forkId: string, line: string, number: number): JournalEntry {
  try {
    return JSON.parse(line) as JournalEntry;
  } catch (error) {
    throw new ApiError(
      'engineUnavailable',
      `the journal of ${forkId} is damaged at line ${number}; it is left as it is`,
      { cause: error },
    );
  }
}

/** So that the new file's name is on disk too. Windows has no such operation. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
