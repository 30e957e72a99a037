import type { ForkRecord } from '../forks/fork-record';
import type { ForkStore } from '../forks/ports';
import type { JsonStore } from './json-store';
import { remove } from './records';

/** Fork records in the JSON store. */
export class JsonForkStore implements ForkStore {
  readonly #store: JsonStore;

  constructor(store: JsonStore) {
    this.#store = store;
  }

  list(): readonly ForkRecord[] {
    return Object.values(this.#store.data.forks).map((record) => ({ ...record }));
  }

  async put(forkId: string, record: ForkRecord): Promise<void> {
    await this.#store.change(({ forks }) => {
      forks[forkId] = { ...record };
      return true;
    });
  }

  async delete(forkId: string): Promise<void> {
    await this.#store.change(({ forks }) => remove(forks, forkId));
  }
}
