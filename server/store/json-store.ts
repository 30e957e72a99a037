import { Low } from 'lowdb';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WarnOfDamage, WriteFile } from '../files/guarded-file';
import type { Clock } from '../projects/ports';
import { emptyStore, type StoreData } from './schema';
import { StoreFile } from './store-file';

/**
 * Changes a draft: replaces and removes records, and never changes a record in place. Runs at once, without interleaving.
 * @returns false where there is nothing to change; the draft is untouched then
 */
type Edit = (draft: StoreData) => boolean;

interface QueuedChange {
  edit: Edit;
  resolve: (changed: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * The data of the service in memory, and `store.json` on disk. A change is seen when it is on disk, and not at all where it
 * could not be written. Changes made while a write runs share the next one, so that one of them fails with all.
 */
export class JsonStore {
  readonly #db: Low<StoreData>;
  readonly #file: StoreFile;
  /** As it is on disk. */
  #durable: StoreData;
  /** With the facts that are durable elsewhere. */
  #seen: StoreData;
  #changes: QueuedChange[] = [];
  /** Not in the file yet. */
  #facts: Edit[] = [];
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;
  #factsDue: Promise<void> | undefined;

  private constructor(db: Low<StoreData>, file: StoreFile) {
    this.#db = db;
    this.#file = file;
    this.#durable = this.#seen = db.data;
  }

  /**
   * The caller holds the lock of the directory.
   * @throws Error with a message for the user where there is data that cannot be used
   */
  static async open(
    directory: string,
    clock: Clock,
    warn: WarnOfDamage,
    write?: WriteFile,
  ): Promise<JsonStore> {
    const file = new StoreFile(join(directory, 'store.json'), clock, warn, write);
    const db = new Low<StoreData>(file, emptyStore());
    await db.read();
    return new JsonStore(db, file);
  }

  get data(): Readonly<StoreData> {
    return this.#seen;
  }

  /**
   * @returns whether there was something to change, when it is on disk
   * @throws the system's error; nothing is changed then
   */
  change(edit: Edit): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#changes.push({ edit, resolve, reject });
      this.#writeSoon().catch(() => undefined); // told to each change of the batch
    });
  }

  /**
   * Notes a fact that another file holds: it is seen at once, and written with the next write that succeeds.
   * @returns when it is on disk
   * @throws the system's error; the fact stays noted
   */
  note(edit: Edit): Promise<void> {
    const seen = draftOf(this.#seen);
    if (!edit(seen)) return Promise.resolve();
    this.#seen = seen;
    this.#facts.push(edit);
    this.#factsDue ??= delay(FACTS_MS).then(() => {
      this.#factsDue = undefined;
      return this.#writeSoon();
    });
    return this.#factsDue;
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    try {
      await (this.#facts.length > 0 ? this.#writeSoon() : (this.#queued ?? this.#running));
    } finally {
      await this.#file.settled();
    }
  }

  #writeSoon(): Promise<void> {
    this.#queued ??= this.#running
      .catch(() => undefined) // it was reported to those who waited for it
      .then(() => {
        this.#queued = undefined;
        this.#running = this.#write();
        return this.#running;
      });
    return this.#queued;
  }

  async #write(): Promise<void> {
    const changes = this.#changes.splice(0);
    const facts = [...this.#facts];
    let changed: boolean[];
    try {
      const draft = draftOf(this.#durable);
      for (const edit of facts) edit(draft);
      changed = changes.map(({ edit }) => edit(draft));
      if (facts.length > 0 || changed.includes(true)) {
        this.#db.data = draft;
        await this.#db.write();
        this.#durable = draft;
        this.#facts.splice(0, facts.length);
        this.#seen = draftOf(draft);
        for (const edit of this.#facts) edit(this.#seen);
      }
    } catch (error) {
      for (const { reject } of changes) reject(error);
      throw error;
    }
    for (const [i, { resolve }] of changes.entries()) resolve(changed[i] === true);
  }
}

/** Facts are written together after so many milliseconds: another file holds them until then. */
const FACTS_MS = 250;

/** A copy whose records can be replaced. */
const draftOf = (data: StoreData): StoreData => ({
  ...data,
  users: { ...data.users },
  keys: { ...data.keys },
  projects: { ...data.projects },
  forks: { ...data.forks },
  usage: { ...data.usage },
});
