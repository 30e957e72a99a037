import { Low } from 'lowdb';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WarnOfDamage, WriteFile } from '../../kernel/files/recoverable-file';
import type { Clock } from '../../projects/ports';
import { emptyStore, type StoreData } from './schema';
import { StoreFile } from './store-file';

/**
 * Edits a draft: replaces and removes records, and never modifies a record in place. Runs synchronously.
 * @returns false if there is nothing to change; the draft is unmodified then
 */
type Edit = (draft: StoreData) => boolean;

interface QueuedChange {
  edit: Edit;
  resolve: (changed: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * The data of the service in memory, and `store.json` on disk. A change becomes visible once it is on disk; a change that cannot be written
 * has no effect. Changes made during a write share the next write, and all of them fail if it fails.
 */
export class JsonStore {
  readonly #db: Low<StoreData>;
  readonly #file: StoreFile;
  /** The data as it is on disk. */
  #durable: StoreData;
  /** The data on disk, plus the facts that are durable in another file. */
  #seen: StoreData;
  #changes: QueuedChange[] = [];
  /** Facts that are not in the file yet. */
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
   * The caller must hold the lock of the directory.
   * @throws Error with a message for the user if there is unusable data
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
   * Resolves once the change is on disk.
   * @returns whether the edit changed anything
   * @throws the system's error; the data is unchanged then
   */
  change(edit: Edit): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#changes.push({ edit, resolve, reject });
      this.#writeSoon().catch(() => undefined); // each change of the batch gets the error
    });
  }

  /**
   * Records a fact that another file stores. It is visible immediately, and is part of the next successful write.
   * @returns a promise that resolves once the fact is on disk
   * @throws the system's error; the fact stays recorded
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
      .catch(() => undefined) // the callers of the failed write have received the error
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

/** Delay in milliseconds for writing several facts together. Another file stores them until then. */
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
