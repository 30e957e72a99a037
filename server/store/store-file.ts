import type { Adapter } from 'lowdb';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Clock } from '../projects/ports';
import { NewerSchemaError, parseStore, type StoreData } from './schema';

/** What the store tells of: a damaged file that was set aside. */
export type Warn = (facts: { err: unknown; file: string; setAside: string }, text: string) => void;

/**
 * lowdb's adapter for one JSON file. A write is all or nothing: temporary file, fsync, rename.
 * A damaged file is renamed, never overwritten, and reads as no file.
 */
export class StoreFile implements Adapter<StoreData> {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #warn: Warn;

  constructor(path: string, clock: Clock, warn: Warn) {
    this.#path = path;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** @throws Error where the file cannot be read, or is from a newer version */
  async read(): Promise<StoreData | null> {
    await this.#removeUnfinishedWrites();
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return null;
    try {
      return parseStore(text);
    } catch (error) {
      if (error instanceof NewerSchemaError) {
        throw new Error(`cannot use ${this.#path}: ${error.message}`, { cause: error });
      }
      await this.#setAside(error);
      return null;
    }
  }

  write(data: StoreData): Promise<void> {
    return writeFileAtomic(this.#path, `${JSON.stringify(data)}\n`, { mode: 0o600 });
  }

  async #setAside(err: unknown): Promise<void> {
    const time = this.#clock().toISOString().replaceAll(':', '-');
    const setAside = `${this.#path}.corrupt-${time}`;
    await rename(this.#path, setAside);
    this.#warn(
      { err, file: this.#path, setAside },
      'the store file is damaged; it was set aside, and the service starts with an empty one',
    );
  }

  /** A killed process leaves its temporary file (`store.json.<number>`) behind. */
  async #removeUnfinishedWrites(): Promise<void> {
    const directory = dirname(this.#path);
    const prefix = `${basename(this.#path)}.`;
    const names = await readdir(directory);
    const unfinished = names.filter(
      (name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
    );
    await Promise.all(unfinished.map((name) => rm(join(directory, name), { force: true })));
  }
}
