import { readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { ZodError } from 'zod';
import { fitsChecksum, revisionOf, withChecksum } from './checksum';
import { fileTime, Generations } from './file-generations';
import { replaceFile } from './replace-file';
import { asDamaged } from './read-failures';

/** Reports a damaged file that was replaced by a generation. */
export type WarnOfDamage = (facts: object, message: string) => void;

export interface RecoverableFileOptions<T> {
  /** @throws if the text is damaged */
  parse: (text: string) => T;
  /** Identifies the file in its data directory, and is part of its checksum. Default: its file name. */
  name?: string;
  warn: WarnOfDamage;
  now?: (() => Date) | undefined;
  /** Number of generations to keep. */
  keep?: number;
  /** Injectable, so that tests can simulate a full disk. */
  write?: WriteFile | undefined;
}

/** Replaces the content of a file, completely or not at all. The text is on disk when the promise resolves. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/** The file is damaged and none of its generations is readable. It is left unchanged. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(
    readonly path: string,
    why: string,
  ) {
    super(
      `${path} ${why}, and it has no good copy: stop the service and run "forklens store repair", ` +
        'or replace the file with a backup',
    );
  }
}

/** The text is not damaged, but this version of the service must not modify it. */
export class ForeignFileError extends Error {
  override readonly name: string = 'ForeignFileError';
}

/** Minimum time between two copies of a file that changes constantly. */
const COPY_INTERVAL_MS = 1_000;

const writeDurably: WriteFile = (path, text) => replaceFile(path, text, { mode: 0o600 });

/**
 * A file with a JSON object, written as a whole with a checksum. A damaged file is never treated as empty: it is renamed to
 * `<file>.corrupt-<time>` and replaced by the newest readable generation.
 */
export class RecoverableFile<T> {
  readonly #path: string;
  readonly #name: string;
  readonly #parse: (text: string) => T;
  readonly #options: RecoverableFileOptions<T>;
  readonly #now: () => Date;
  readonly #generations: Generations;
  readonly #write: WriteFile;
  #uncopied: string | undefined;
  #copying: Promise<void> = Promise.resolve();
  #copiedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #copyFailed = false;
  #revision = 0;

  constructor(path: string, options: RecoverableFileOptions<T>) {
    this.#path = path;
    this.#name = options.name ?? basename(path);
    this.#parse = checked(this.#name, options.parse);
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#generations = new Generations(path, {
      now: this.#now,
      ...(options.keep === undefined ? {} : { keep: options.keep }),
    });
    this.#write = options.write ?? writeDurably;
  }

  /**
   * @returns undefined if the file does not exist and never did
   * @throws DamagedFileError, ForeignFileError, and the system's error if the file cannot be read
   */
  async read(): Promise<T | undefined> {
    const text = await readIfThere(this.#path);
    let why = 'is missing';
    if (text !== undefined) {
      try {
        const value = this.#parse(text);
        await this.#compareWithCopies(text);
        this.#copySoon(text);
        return value;
      } catch (error) {
        if (error instanceof ForeignFileError) throw error;
        why = `is damaged (${reasonOf(error)})`;
      }
    }
    const generations = await this.#generations.newestFirst();
    if (text === undefined && generations.length === 0) return undefined;
    for (const generation of generations) {
      const copy = await generation.read().catch(asDamaged(''));
      const value = valueOf(this.#parse, copy);
      if (value === undefined) continue;
      const setAside = text === undefined ? undefined : await this.setAside();
      await this.#write(this.#path, copy);
      this.#revision = revisionOf(copy);
      this.#options.warn(
        { file: this.#path, setAside, restored: generation.path },
        `${basename(this.#path)} ${why}; its newest good copy was restored, and changes made after that copy are missing`,
      );
      return value;
    }
    throw new DamagedFileError(this.#path, why);
  }

  /**
   * @param json a JSON object
   * @throws the system's error; the file is unchanged then
   */
  async write(json: string): Promise<void> {
    // By the clock, so that contents of two services that know nothing of each other have an order as well.
    const revision = Math.max(this.#revision + 1, this.#now().getTime());
    const text = withChecksum(this.#name, json, revision);
    await this.#write(this.#path, text);
    this.#revision = revision;
    this.#copySoon(text);
  }

  /** Renames the file. @returns its new path; undefined if it does not exist */
  async setAside(): Promise<string | undefined> {
    const retiredPath = `${this.#path}.corrupt-${fileTime(this.#now())}`;
    try {
      await rename(this.#path, retiredPath);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    return retiredPath;
  }

  /** Deletes the generations after the file was deleted on purpose. */
  async forget(): Promise<void> {
    clearTimeout(this.#timer);
    this.#uncopied = undefined;
    await this.#copying;
    await this.#generations.removeAll();
  }

  /** Resolves once the last written text is also kept as a generation. Never rejects. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#copy();
    await this.#copying;
  }

  /** Reports an intact file that is older than a copy of it: a backup, or a fault of the disk. */
  async #compareWithCopies(text: string): Promise<void> {
    const own = revisionOf(text);
    this.#revision = own;
    for (const generation of await this.#generations.newestFirst()) {
      const copy = await generation.read().catch(asDamaged(''));
      const revision = revisionOf(copy);
      if (revision <= this.#revision || valueOf(this.#parse, copy) === undefined) continue;
      this.#revision = revision;
      if (own === 0) continue; // written by a person, or by an older version
      this.#options.warn(
        { file: this.#path, newer: generation.path },
        `${basename(this.#path)} is older than a copy of it: later changes are missing, unless an older file was put there on purpose`,
      );
      return;
    }
  }

  #copySoon(text: string): void {
    this.#uncopied = text;
    const wait = this.#copiedAt + COPY_INTERVAL_MS - performance.now();
    if (wait <= 0) {
      this.#copy();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#copy();
    }, wait).unref();
  }

  #copy(): void {
    const text = this.#uncopied;
    if (text === undefined) return;
    this.#uncopied = undefined;
    this.#copiedAt = performance.now();
    this.#copying = this.#copying
      .then(() => this.#generations.take(text))
      .catch((error: unknown) => {
        // A full disk must not fail a change that is already written.
        if (!this.#copyFailed) this.#options.warn({ err: error }, 'a file could not be copied');
        this.#copyFailed = true;
      });
  }
}

/** Wraps a parser of a recoverable file: the checksum of the text must match. */
export const checked =
  <T>(name: string, parse: (text: string) => T) =>
  (text: string): T => {
    const value = parse(text);
    if (!fitsChecksum(name, text)) throw new Error('its checksum does not match its content');
    return value;
  };

/** @returns undefined if there is no such file; an empty text if the path is a folder, which counts as damage */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') return '';
    throw error;
  });
}

function valueOf<T>(parse: (text: string) => T, text: string): T | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The reason why a text is rejected: the path and the expected value. Omits the values, which may be secrets. */
export function reasonOf(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return issue ? `${issue.path.join('.')}: ${issue.message}` : 'a field is wrong';
  }
  return error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
}
