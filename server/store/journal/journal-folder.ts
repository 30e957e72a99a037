import { constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemLimit } from '../../api/errors';
import { EMPTY_JOURNAL, type JournalContents } from '../../forks/writes/journal';
import type { Journal, JournalSnapshot, JournalStore } from '../../forks/life/ports';
import { JournalFile, type PreparedJournal } from './journal-file';
import { unusable } from './line-format';
import { readJournal, wholePart } from './read-journal';
import { writeJournal } from './write-journal';

const JOURNAL = '.journal';
/** The journal of a fork that has not been reported to a client yet. */
const CREATING = '.creating';
/** The journal of a fork whose deletion has begun. */
const DELETED = '.deleted';
const UNFINISHED = '.new';
/** Opens existing files only. */
const APPENDING = constants.O_RDWR | constants.O_APPEND;
const RECOVERY_HINT = 'restore a backup of it, or delete the fork';

type Warn = (facts: object, message: string) => void;

/**
 * One file per fork: a JSON line with the version, then one line per entry (see `entryLine`). An entry is on disk before it counts. Files
 * are read and written line by line, because a journal may be larger than memory.
 */
export class JournalFiles implements JournalStore {
  /**
   * @param warn reports a last record that a crash cut off, and journals of unknown forks
   * @param openFile injectable, so that tests can simulate a full disk
   */
  constructor(
    private readonly folder: string,
    private readonly warn: Warn,
    private readonly openFile: typeof open = open,
  ) {}

  async create(forkId: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const { file, install } = await this.#prepare(forkId, EMPTY_JOURNAL);
    await install();
    await file.close();
  }

  async confirm(forkId: string): Promise<void> {
    await rename(this.#path(forkId, CREATING), this.#path(forkId, JOURNAL));
    await syncFolder(this.folder);
  }

  async read(forkId: string): Promise<JournalSnapshot> {
    const { file } = await this.#find(forkId, constants.O_RDONLY);
    try {
      const { contents, complete } = await readJournal({ forkId, file });
      return { contents, bytes: complete, close: () => file.close() };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws ApiError engineUnavailable for an unusable journal */
  async check(forkId: string): Promise<void> {
    const { close } = await this.read(forkId);
    await close();
  }

  async open(forkId: string): Promise<{ journal: Journal; contents: JournalContents }> {
    const { file } = await this.#find(forkId, APPENDING);
    try {
      const source = { forkId, file };
      const { contents, complete } = await readJournal(source);
      const { size } = await file.stat();
      if (complete < size) {
        // The torn record was never acknowledged.
        await file.truncate(complete);
        this.warn({ forkId, bytes: size - complete }, 'dropped the incomplete end of a journal');
      }
      const journal = new JournalFile(source, complete, (rewritten) =>
        this.#prepare(forkId, rewritten),
      );
      return { journal, contents };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Cuts a damaged journal before the first damaged entry. Keeps a copy of the whole file beside it, with the suffix.
   * @returns the number of remaining entries
   * @throws ApiError if no entry can be read
   */
  async cut(forkId: string, suffix: string): Promise<number> {
    const { file, kind } = await this.#find(forkId, APPENDING);
    try {
      const { entries, bytes } = await wholePart({ forkId, file });
      const path = this.#path(forkId, kind);
      await copyFile(path, `${path}${suffix}`);
      await file.truncate(bytes);
      await file.sync();
      return entries;
    } finally {
      await file.close();
    }
  }

  async remove(forkId: string, forget: () => Promise<void>): Promise<void> {
    const deleted = this.#path(forkId, DELETED);
    await rename(this.#path(forkId, JOURNAL), deleted).catch(ignoreMissing);
    try {
      await forget();
    } catch (error) {
      await rename(deleted, this.#path(forkId, JOURNAL)).catch(ignoreMissing);
      throw error;
    }
    await rm(deleted, { force: true });
    await rm(this.#path(forkId, CREATING), { force: true });
  }

  async tidy(isKnown: (forkId: string) => boolean): Promise<void> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      ignoreMissing(error);
      return [];
    });
    for (const name of names) {
      const dot = name.lastIndexOf('.');
      const forkId = name.slice(0, dot);
      const path = join(this.folder, name);
      const kind = name.slice(dot);
      if (kind === UNFINISHED) await rm(path);
      else if ((kind === DELETED || kind === CREATING) && !isKnown(forkId)) await rm(path);
      else if (kind === DELETED || kind === CREATING) await this.#restore(path, forkId);
      else if (kind === JOURNAL && !isKnown(forkId)) {
        this.warn({ forkId }, 'no fork has this journal; the file is kept');
      }
    }
  }

  /** Does nothing if there is a journal: it is the newer of the two. */
  async #restore(path: string, forkId: string): Promise<void> {
    const journal = this.#path(forkId, JOURNAL);
    if (!(await exists(journal))) await rename(path, journal);
  }

  async #find(forkId: string, flags: number): Promise<{ file: FileHandle; kind: string }> {
    for (const kind of [JOURNAL, CREATING]) {
      const path = this.#path(forkId, kind);
      // Opening a folder for reading does not fail, but reading it does.
      if (await isFolder(path)) throw unusable(forkId, `is a folder: ${RECOVERY_HINT}`);
      const file = await this.openFile(path, flags).catch(ignoreMissing);
      if (file) return { file, kind };
    }
    throw unusable(forkId, `is missing: ${RECOVERY_HINT}`);
  }

  /** Writes a new journal beside the current one. */
  async #prepare(forkId: string, contents: JournalContents): Promise<PreparedJournal> {
    const path = this.#path(forkId, UNFINISHED);
    let file: FileHandle | undefined;
    try {
      await rm(path, { force: true });
      file = await this.openFile(path, 'a+', 0o600);
      const written = await writeJournal({ forkId, file }, contents);
      const install = async (): Promise<void> => {
        // The fork may have been confirmed since the journal was opened.
        const isConfirmed = await exists(this.#path(forkId, JOURNAL));
        await rename(path, this.#path(forkId, isConfirmed ? JOURNAL : CREATING));
        await syncFolder(this.folder);
      };
      return { ...written, file, install };
    } catch (error) {
      await file?.close();
      await rm(path, { force: true });
      throw systemLimit(error) ?? error;
    }
  }

  #path(forkId: string, kind: string): string {
    return join(this.folder, `${forkId}${kind}`);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  return undefined;
}

/** Writes the new file's name to disk as well. Windows has no such operation. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
