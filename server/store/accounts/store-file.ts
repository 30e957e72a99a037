import type { Adapter } from 'lowdb';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  DamagedFileError,
  ForeignFileError,
  RecoverableFile,
  type WarnOfDamage,
  type WriteFile,
} from '../../kernel/files/recoverable-file';
import type { Clock } from '../../projects/ports';
import { parseStore, type StoreData } from './schema';

/** lowdb's adapter for `store.json`. */
export class StoreFile implements Adapter<StoreData> {
  readonly #path: string;
  readonly #file: RecoverableFile<StoreData>;

  constructor(path: string, clock: Clock, warn: WarnOfDamage, write?: WriteFile) {
    this.#path = path;
    this.#file = new RecoverableFile(path, { parse: parseStore, now: clock, warn, write });
  }

  /**
   * @returns null for a data directory without data
   * @throws Error with a message for the user if there is unusable data
   */
  async read(): Promise<StoreData | null> {
    await this.#removeUnfinishedWrites();
    try {
      const data = await this.#file.read();
      if (data !== undefined) return data;
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error;
      throw new Error(`cannot use ${this.#path}: ${error.message}`, { cause: error });
    }
    if (await this.#hasJournals()) {
      throw new DamagedFileError(this.#path, 'is missing, although there are journals of forks');
    }
    return null;
  }

  write(data: StoreData): Promise<void> {
    return this.#file.write(serialize(data));
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  async #hasJournals(): Promise<boolean> {
    const names = await readdir(join(dirname(this.#path), 'forks')).catch(() => []);
    return names.some((name) => name.endsWith('.journal'));
  }

  /** Removes the temporary files (`store.json.<number>`) of killed processes. */
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

export const serialize = (data: StoreData): string => `${JSON.stringify(data)}\n`;
