import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, systemLimit } from '../api/errors';
import { EMPTY_JOURNAL, type JournalContents, type JournalEntry } from '../forks/writes/journal';
import type { Journal, JournalStore } from '../forks/ports';

/** Raise it with each change of the format or of what an entry means. */
const VERSION = 1;

const JOURNAL = '.journal';
/** Of a fork that no client was told of yet. */
const CREATING = '.creating';
/** A fork whose deletion has begun. */
const DELETED = '.deleted';
const UNFINISHED = '.new';

type Warn = (facts: object, message: string) => void;

/**
 * One file per fork: a line of JSON that tells the version, then a line per entry, of 8 hex digits of the SHA-256 of its JSON,
 * a space, and the JSON. On disk before it counts.
 */
export class JournalFiles implements JournalStore {
  /**
   * @param warn told of a last record that a crash cut off, and of journals of unknown forks
   * @param openFile injectable, so that tests can simulate a full disk
   */
  constructor(
    private readonly folder: string,
    private readonly warn: Warn,
    private readonly openFile: typeof open = open,
  ) {}

  async create(forkId: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const { file, install } = await this.#prepare(forkId, CREATING, EMPTY_JOURNAL);
    await install();
    await file.close();
  }

  async confirm(forkId: string): Promise<void> {
    await rename(this.#path(forkId, CREATING), this.#path(forkId, JOURNAL));
    await syncFolder(this.folder);
  }

  async read(forkId: string): Promise<JournalContents> {
    const { bytes } = await this.#find(forkId);
    return parse(forkId, bytes).contents;
  }

  async open(forkId: string): Promise<{ journal: Journal; contents: JournalContents }> {
    const { bytes, kind } = await this.#find(forkId);
    const { contents, complete } = parse(forkId, bytes);
    const path = this.#path(forkId, kind);
    if (complete < bytes.length) {
      // It was never acknowledged.
      await truncate(path, complete);
      this.warn({ forkId, bytes: bytes.length - complete }, 'dropped the torn end of a journal');
    }
    const file = await this.openFile(path, 'a');
    const journal = new JournalFile({ file, size: complete }, (anew) =>
      this.#prepare(forkId, kind, anew),
    );
    return { journal, contents };
  }

  /**
   * Cuts a damaged journal before the first damaged entry; the whole file is kept beside it, with the suffix.
   * @returns how many entries are left
   * @throws ApiError where no entry can be read
   */
  async cut(forkId: string, suffix: string): Promise<number> {
    const { bytes, kind } = await this.#find(forkId);
    const lines = bytes.toString('utf8').split('\n');
    const ids = parseHeader(forkId, lines[0] ?? '');
    const entries: JournalEntry[] = [];
    for (const line of lines.slice(1)) {
      const entry = toEntry(line);
      if (!entry) break;
      entries.push(entry);
    }
    const path = this.#path(forkId, kind);
    await copyFile(path, `${path}${suffix}`);
    const { file, install } = await this.#prepare(forkId, kind, { ...ids, entries });
    await install();
    await file.close();
    return entries.length;
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
        this.warn({ forkId }, 'a journal belongs to no known fork; it stays as it is');
      }
    }
  }

  /** Unless there is one, which is the newer of the two. */
  async #restore(path: string, forkId: string): Promise<void> {
    const journal = this.#path(forkId, JOURNAL);
    const isThere = await stat(journal).then(
      () => true,
      () => false,
    );
    if (!isThere) await rename(path, journal);
  }

  async #find(forkId: string): Promise<{ bytes: Buffer; kind: string }> {
    for (const kind of [JOURNAL, CREATING]) {
      const bytes = await readFile(this.#path(forkId, kind)).catch(ignoreMissing);
      if (bytes) return { bytes, kind };
    }
    throw unusable(forkId, 'is missing: put a backup of it there, or delete the fork');
  }

  /** Writes a journal beside the one that there is. */
  async #prepare(
    forkId: string,
    kind: string,
    { entries, ...ids }: JournalContents,
  ): Promise<OpenFile & { install: () => Promise<void> }> {
    const path = this.#path(forkId, UNFINISHED);
    const header = JSON.stringify({ format: 'forklens-journal', version: VERSION, ...ids });
    let file: FileHandle | undefined;
    try {
      await rm(path, { force: true });
      file = await this.openFile(path, 'a', 0o600);
      await file.appendFile(`${header}\n${entries.map(toLine).join('')}`);
      await file.sync();
      const { size } = await file.stat();
      const install = async (): Promise<void> => {
        await rename(path, this.#path(forkId, kind));
        await syncFolder(this.folder);
      };
      return { file, size, install };
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

interface OpenFile {
  file: FileHandle;
  /** Bytes that count. */
  size: number;
}

class JournalFile implements Journal {
  #open: OpenFile;
  #closed = false;

  constructor(
    file: OpenFile,
    private readonly prepare: (
      contents: JournalContents,
    ) => Promise<OpenFile & { install: () => Promise<void> }>,
  ) {
    this.#open = file;
  }

  async append(entry: JournalEntry): Promise<void> {
    if (this.#closed) {
      throw new ApiError('engineUnavailable', "the fork's engine ended; ask again");
    }
    const { file, size } = this.#open;
    const line = Buffer.from(toLine(entry));
    try {
      await file.appendFile(line);
      await file.datasync();
    } catch (error) {
      // Where that fails as well, what is left is torn, or whole and a change that was made after all.
      await file.truncate(size).catch(() => undefined);
      throw systemLimit(error) ?? error;
    }
    this.#open = { file, size: size + line.length };
  }

  async rewrite(contents: JournalContents): Promise<void> {
    const { install, ...anew } = await this.prepare(contents);
    const { file: old } = this.#open;
    // Until it is known which of the two is the journal, nothing may be written to either.
    this.#closed = true;
    this.#open = anew;
    await old.close();
    await install();
    this.#closed = false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#open.file.close();
  }
}

const checksum = (json: string): string =>
  createHash('sha256').update(json).digest('hex').slice(0, 8);

function toLine(entry: JournalEntry): string {
  const json = JSON.stringify(entry);
  return `${checksum(json)} ${json}\n`;
}

/** @returns undefined where the line is damaged */
function toEntry(line: string): JournalEntry | undefined {
  const json = line.slice(9);
  return line.slice(0, 9) === `${checksum(json)} ` ? (JSON.parse(json) as JournalEntry) : undefined;
}

/** @returns with the contents, how many bytes hold them */
function parse(forkId: string, bytes: Buffer): { contents: JournalContents; complete: number } {
  const complete = completeLines(bytes);
  const [header = '', ...lines] = bytes
    .subarray(0, complete)
    .toString('utf8')
    .split('\n')
    .slice(0, -1);
  const ids = parseHeader(forkId, header);
  const entries = lines.map((line, i) => {
    const entry = toEntry(line);
    if (entry) return entry;
    throw damaged(forkId, i + 2);
  });
  return { contents: { ...ids, entries }, complete };
}

/** @returns the length of what is no torn end: a crash leaves a part of the last record, or zeros in its place, which JSON has not */
function completeLines(bytes: Buffer): number {
  const end = bytes.lastIndexOf('\n') + 1;
  const last = end < 2 ? 0 : bytes.lastIndexOf('\n', end - 2) + 1;
  return bytes.subarray(last, end).includes(0) ? last : end;
}

function parseHeader(forkId: string, line: string): Omit<JournalContents, 'entries'> {
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(line) as typeof header;
  } catch {
    throw damaged(forkId, 1);
  }
  const { format, version, nextSnapshot, executed } = header;
  if (format !== 'forklens-journal' || typeof version !== 'number') {
    throw damaged(forkId, 1);
  }
  if (version > VERSION) {
    throw unusable(
      forkId,
      `has version ${version}, and this version of Forklens knows versions up to ${VERSION}: use a newer Forklens, or delete the fork`,
    );
  }
  return { nextSnapshot: Number(nextSnapshot), executed: Number(executed) };
}

const unusable = (forkId: string, what: string): ApiError =>
  new ApiError(
    'engineUnavailable',
    `the journal of the fork, forks/${forkId}${JOURNAL} in the data directory, ${what}`,
  );

const damaged = (forkId: string, line: number): ApiError =>
  unusable(
    forkId,
    `is damaged at line ${line}: put a backup of the file in its place, or delete the fork`,
  );

function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  return undefined;
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
