import type { ForkRecord } from '../../forks/life/fork-record';
import type { ForkStore } from '../../forks/life/ports';
import type { JsonStore } from './json-store';
import { lookUp, remove } from './records';

/** Fork records in the JSON store. */
export class JsonForkStore implements ForkStore {
  readonly #store: JsonStore;

  constructor(store: JsonStore) {
    this.#store = store;
  }

  list(projectId?: string): Promise<readonly ForkRecord[]> {
    const records = Object.values(this.#store.data.forks).filter(
      (record) => projectId === undefined || record.projectId === projectId,
    );
    return Promise.resolve(records.map((record) => ({ ...record })));
  }

  async put(forkId: string, record: ForkRecord): Promise<void> {
    await this.#store.change(({ forks }) => {
      forks[forkId] = { ...record };
      return true;
    });
  }

  setSecret(forkId: string, secret: string): Promise<boolean> {
    return this.#store.change(({ forks }) => {
      const record = lookUp(forks, forkId);
      if (!record) return false;
      forks[forkId] = { ...record, secret };
      return true;
    });
  }

  async delete(forkId: string): Promise<void> {
    await this.#store.change(({ forks }) => remove(forks, forkId));
  }
}
