import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { Log } from '../../contracts/abi/sources';
import { RecoverableFile } from '../../kernel/files/recoverable-file';
import { usable } from './storage-damaged';
import {
  labelsText,
  parseLabels,
  toLabels,
  type LabelRecord,
  type Labels,
  type LabelStore,
} from './records';

/** One file per user. */
export class LabelFiles implements LabelStore {
  /** Cache of the files by user. */
  readonly #known = new Map<string, Promise<Labels>>();
  readonly #writes = new PQueue({ concurrency: 1 });

  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  read(user: string): Promise<Labels> {
    let labels = this.#known.get(user);
    if (!labels) {
      // A repaired file is read again.
      labels = this.#readFile(user).catch((error: unknown) => {
        this.#known.delete(user);
        throw error;
      });
      this.#known.set(user, labels);
    }
    return labels;
  }

  async change(user: string, edit: (labels: Map<string, LabelRecord>) => void): Promise<void> {
    await this.#writes.add(async () => {
      const labels = new Map(await this.read(user));
      edit(labels);
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = this.#fileOf(user);
      await file.write(labelsText(labels));
      this.#known.set(user, Promise.resolve(labels));
      await file.settled();
    });
  }

  async *users(): AsyncGenerator<string> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const user = /^([^.]+)\.json$/.exec(name)?.[1];
      if (user !== undefined) yield user;
    }
  }

  async #readFile(user: string): Promise<Labels> {
    const file = this.#fileOf(user);
    const labels = (await usable(file.read())) ?? [];
    await file.settled();
    return toLabels(labels);
  }

  #fileOf(user: string): RecoverableFile<LabelRecord[]> {
    return new RecoverableFile(join(this.folder, `${user}.json`), {
      parse: parseLabels,
      warn: this.log.warn.bind(this.log),
    });
  }
}
