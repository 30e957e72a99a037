import { Low } from 'lowdb';
import { join } from 'node:path';
import type { Clock } from '../projects/ports';
import { emptyStore, type StoreData } from './schema';
import { StoreFile, type Warn } from './store-file';

/**
 * The data of the service in memory, and `store.json` on disk. A change is seen at once by readers in this process;
 * its promise resolves when it is on disk. Changes made while a write runs share the next one.
 */
export class JsonStore {
  readonly #db: Low<StoreData>;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  private constructor(db: Low<StoreData>) {
    this.#db = db;
  }

  /** The caller holds the lock of the directory. */
  static async open(directory: string, clock: Clock, warn: Warn): Promise<JsonStore> {
    const file = new StoreFile(join(directory, 'store.json'), clock, warn);
    const db = new Low<StoreData>(file, emptyStore());
    await db.read();
    return new JsonStore(db);
  }

  get data(): Readonly<StoreData> {
    return this.#db.data;
  }

  /** @param change runs at once, without interleaving, and must not fail half-way */
  change(change: (data: StoreData) => void): Promise<void> {
    change(this.#db.data);
    this.#queued ??= this.#running
      .catch(() => undefined) // it was reported to those who waited for it
      .then(() => {
        this.#queued = undefined;
        this.#running = this.#db.write();
        return this.#running;
      });
    return this.#queued;
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    await (this.#queued ?? this.#running);
  }
}
